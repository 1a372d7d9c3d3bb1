/** What befalls machines and stores in a month: as its plan allows, at instants of its choice. */

import type { Millis } from '../../../src-engine/model/time.ts'
import { day, hour, minute } from '../../../src-engine/model/time.ts'
import type { Machine, Machines } from './machines.ts'
import type { MonthFault } from './plan.ts'
import type { MonthStage } from './stage.ts'

/** How far clocks are set wrong, at most. */
export const wrongMsMax: Millis = 5 * hour

export function planMonthFaults(stage: MonthStage, machines: Machines): void {
  const { world, random, plan, storeFaults, count, chaos } = stage
  const sometimes = (name: MonthFault, timesMax: number, happen: () => void): void => {
    if (!plan.faults[name]) return
    for (let times = 1 + random.below(timesMax); times > 0; times -= 1)
      world.at(plan.begin + random.below(plan.end - plan.begin), () => {
        if (chaos.isOver) return
        count(name)
        happen()
      })
  }
  const one = (happen: (machine: Machine) => void) => () => {
    const living = machines.living()
    if (living.length > 0) happen(random.pick(living))
  }
  sometimes(
    'crashes',
    8,
    one((machine) => machines.crash(machine, random.below(12 * hour))),
  )
  sometimes('nobodyThere', 2, () => {
    const backAfterMs = random.below(3 * day)
    for (const machine of machines.living()) machines.crash(machine, backAfterMs + random.below(minute))
  })
  sometimes(
    'naps',
    10,
    one(({ process }) => process.sleepFor(random.below(6 * hour))),
  )
  sometimes('longSleeps', 4, () => {
    const span = random.below(random.chance(0.3) ? 3 * day : 10 * hour)
    for (const { process } of machines.living()) process.sleepFor(span + random.below(minute))
  })
  const wrong = (): Millis => random.below(2 * wrongMsMax) - wrongMsMax
  const set = ({ process }: Machine, skew: Millis): void => {
    process.skew = skew
    // Somebody puts it right, mostly soon.
    world.at(world.now + random.below(day), () => {
      process.skew = 0
    })
  }
  sometimes(
    'wrongClocks',
    6,
    one((machine) => set(machine, wrong())),
  )
  sometimes('clocksSetTogether', 3, () => {
    const skew = wrong()
    for (const machine of machines.living()) set(machine, skew)
  })
  const forSomeHours = (apply: (on: boolean) => void) => () => {
    apply(true)
    world.at(world.now + random.below(10 * hour), () => apply(false))
  }
  sometimes(
    'failures',
    4,
    forSomeHours((on) => (storeFaults.failure = on ? 0.05 : 0)),
  )
  sometimes(
    'lostAnswers',
    4,
    forSomeHours((on) => (storeFaults.lostAnswer = on ? 0.08 : 0)),
  )
  sometimes('slowStore', 4, () => {
    storeFaults.slowUntil = world.now + random.below(10 * hour)
  })
}
