/**
 * Seeds that noticed planted bugs when it was last looked: they are played first, and all others after them. A seed
 * that no longer notices its bug costs the time to find another, and nothing else.
 */

/** Those that are not among the first few, by the bug's name. */
export const noticingSeeds: ReadonlyMap<string, number> = new Map([
  ['a cancel forgets a branch', 8],
  ['a claim takes work of any pool', 21],
  ['a failed attempt isn’t counted', 6],
  ['a kept signal is forgotten', 6],
  ['a large value is acknowledged and not kept', 57],
  ['a large value is kept in part', 57],
  ['a look into a result finds nothing', 73],
  ['a look into a result is never ticked off', 73],
  ['a map takes over what another item gave', 41],
  ['a permit is let go when the work begins', 5],
  ['a person is asked about what a group has said already', 305],
  ['a renewal is acknowledged and not written', 135],
  ['a renewal says that every lease is lost', 296],
  ['a result is handed on although a rule holds it back', 49],
  ['a result that is held back stays where everybody sees it', 49],
  ['a run goes on after the step that was to end it', 41],
  ['a signal is taken twice', 34],
  ['a step asks runs of workflows that it didn’t mean', 215],
  ['a step counts as undone before the run is that it waited for', 10],
  ['a turn is left out', 32],
  ['an approval is written as a rejection', 6],
  ['an attempt begins without being counted', 17],
  ['an owned step has no lease', 7],
  ['every runner is taken for dead', 35],
  ['leases run out at once', 35],
  ['no letter tells of what was given up', 17],
  ['nobody asks whether a failure is to be tried again', 36],
  ['nobody asks whether the same is registered already', 23],
  ['nothing undoes what the run did that a step waited for', 10],
  ['the last in line for a permit comes first', 73],
  ['the newest of the kept signals comes first', 342],
  ['the permit of a pool is kept by what has ended', 15],
  ['timers don’t ring', 10],
  ['two more than the limit may run', 23],
  ['what another run gave is recorded as something else', 10],
  ['what is not to stay is never forgotten', 9],
  ['what nobody decided in time counts as approved', 6],
  ['what other runs still need is forgotten with the first that ends', 268],
  ['what waits for a permit is never called', 23],
  ['what was to be taken out of a result is written', 49],
  ['what was undone is undone again with what failed', 71],
  ['who comes second is told that their word counts', 21],
])

/** Every seed from 1 to `last` once, the one that noticed the bug before all others. */
export function seedsFor(name: string, last: number): readonly number[] {
  const first = noticingSeeds.get(name) ?? 1
  const all = Array.from({ length: last }, (_, index) => index + 1)
  return [first, ...all.filter((seed) => seed !== first)]
}
