/** What is measured: an engine that can end a run of each shape. */

/** Steps of a chain, and branches of a fan. */
export const chainSteps = 10
export const fanBranches = 500

export interface Subject {
  /** Resolves when a run of `chainSteps` no-op steps is final. */
  readonly chain: () => Promise<void>
  /** Resolves when `fanBranches` parallel no-op steps and their join are final. */
  readonly fan: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens an engine on an empty directory. */
export type OpenSubject = (directory: string) => Promise<Subject>
