/**
 * What new writes of a partition wait for: another epoch is met, or what was lost is brought back. One at a time for
 * each partition.
 */

export interface Meetings<Partition> {
  /** Resolves, or rejects, as it does; undefined for none. */
  readonly underWay: (partition: Partition) => Promise<void> | undefined
  /** What several meet at the same time is met once. */
  readonly meet: (partition: Partition, work: () => Promise<void>) => Promise<void>
  /** After what is under way, which may have looked already; who asks for it meanwhile gets the same. */
  readonly meetAfter: (partition: Partition, work: () => Promise<void>) => Promise<void>
}

export function createMeetings<Partition>(): Meetings<Partition> {
  const underWay = new Map<Partition, Promise<void>>()
  const next = new Map<Partition, Promise<void>>()
  const enter = (partition: Partition, work: Promise<void>): Promise<void> => {
    const meeting = work.finally(() => {
      if (underWay.get(partition) === meeting) underWay.delete(partition)
    })
    underWay.set(partition, meeting)
    return meeting
  }
  return {
    underWay: (partition) => underWay.get(partition),
    meet: (partition, work) => underWay.get(partition) ?? enter(partition, work()),
    meetAfter(partition, work) {
      const known = next.get(partition)
      const before = underWay.get(partition)
      if (known !== undefined) return known
      if (before === undefined) return enter(partition, work())
      const begin = (): Promise<void> => {
        next.delete(partition)
        return work()
      }
      const after = enter(partition, before.then(begin, begin))
      next.set(partition, after)
      return after
    },
  }
}
