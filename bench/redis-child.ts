/** A subject on Redis in a process of its own; it does what its parent tells it, one piece after the other. */

import type { Taken, Task } from './redis/target.ts'
import type { Subject } from './subject.ts'
import { chainSteps, fanBranches } from './subject.ts'
import { chains } from './throughput.ts'

const gapMs = 50
let subject: Subject | null = null

async function open({ subject: name, target }: Task & { readonly kind: 'open' }): Promise<Subject> {
  if (name === 'ours') return (await import('./redis/ours.ts')).openOursOnRedis(target)
  if (name === 'acting') return (await import('./redis/ours.ts')).openActingOnRedis(target)
  if (name === 'queued') return (await import('./redis/ours.ts')).openQueuedOnRedis(target)
  if (name === 'limited') return (await import('./redis/ours.ts')).openLimitedOnRedis(target)
  if (name === 'bullmq') return (await import('./redis/bullmq.ts')).openBullmq(target)
  const { openQueueLoop, openStickyLoop } = await import('./redis/ideal.ts')
  return name === 'queue' ? openQueueLoop(target) : openStickyLoop(target)
}

/** Each alone, after a pause in which nothing is to be done. */
async function samples(count: number, call: () => Promise<void>): Promise<readonly number[]> {
  const spans: number[] = []
  for (let sample = 0; sample < count; sample += 1) {
    await new Promise((resolve) => setTimeout(resolve, gapMs))
    const began = performance.now()
    await call()
    spans.push(performance.now() - began)
  }
  return spans
}

async function work(task: Task): Promise<readonly number[]> {
  if (task.kind === 'open') {
    subject = await open(task)
    await subject.chain(chainSteps)
    return []
  }
  const of = subject
  if (of === null) throw new Error('Nothing is open.')
  if (task.kind === 'throughput') await chains(of, task.runs, task.inFlight)
  else if (task.kind === 'chains') return samples(task.samples, () => of.chain(chainSteps))
  else if (task.kind === 'fans') return samples(task.samples, () => of.fan(fanBranches))
  else await of.close()
  return []
}

async function answer(task: Task): Promise<void> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  const spans = await work(task)
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  process.send?.({ spans, seconds, cpuMicros: user + system } satisfies Taken, () => {
    if (task.kind === 'close') process.exit(0)
  })
}

process.on('message', (task: Task) => void answer(task))
