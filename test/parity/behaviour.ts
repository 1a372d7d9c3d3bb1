/** The words of the parity report. */

/** Id (P, C, S, T or G and a number) → what must hold, in one line. */
export type Behaviours = Readonly<Record<string, string>>

/** Why a behaviour has no test. */
export interface Exception {
  /** Overridden: the design decided otherwise. Later: it comes with a feature that is not there yet. */
  readonly kind: 'overridden' | 'later'
  /** The decision, or the feature. */
  readonly reason: string
}

/** How one test of a report ended. */
export interface ReportedTest {
  readonly file: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'not-run'
}
