/** What judges results in a process. */

import type { HiddenOutputs } from './hidden-outputs.ts'
import type { OutputJudge } from './output-judge.ts'
import type { PolicyBook } from './policy-book.ts'
import type { OutputScanner } from './scan-message.ts'

export interface Outputs {
  readonly book: PolicyBook
  readonly judge: OutputJudge
  readonly scanner: OutputScanner
  readonly hidden: HiddenOutputs
}
