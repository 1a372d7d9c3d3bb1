/** What is measured: an engine that can end a run of each shape. */

/** Steps of a chain, and branches of a fan. */
export const chainSteps = 10
export const fanBranches = 500
/** The same for one very large run. */
export const largeRunSteps = 10_000

export interface Subject {
  /** Resolves when a run of so many no-op steps, one after the other, is final. */
  readonly chain: (steps: number) => Promise<void>
  /** Resolves when so many parallel no-op steps and their join are final. */
  readonly fan: (branches: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens an engine on an empty directory. */
export type OpenSubject = (directory: string) => Promise<Subject>
