/** One figure against its goal, and how spans are read. */

export interface ScaleRow {
  readonly goal: string
  readonly what: string
  readonly found: number
  readonly unit: string
  readonly gate: number
  /** More is better; less is better otherwise. */
  readonly atLeast?: boolean
}

/** The value below which that share of all lies. */
export function quantile(spans: readonly number[], share: number): number {
  const sorted = [...spans].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The span of a call in milliseconds, and what it gave. */
export async function timed<Answer>(
  call: () => Promise<Answer>,
): Promise<{ readonly ms: number; readonly answer: Answer }> {
  const began = performance.now()
  const answer = await call()
  return { ms: performance.now() - began, answer }
}

/** The spans of that many calls, one after the other. */
export async function spansOf(
  times: number,
  call: (index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const spans: number[] = []
  for (let index = 0; index < times; index += 1) spans.push((await timed(() => call(index))).ms)
  return spans
}

/** Calls with each index below `total`, so many at a time. */
export async function inFlight(
  total: number,
  lanes: number,
  call: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < total) {
      const index = next
      next += 1
      await call(index)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
