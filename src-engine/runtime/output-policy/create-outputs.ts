/** What judges results, put together: the policy, the judge at the end of attempts, the scanner, the curtain. */

import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { PayloadStore } from '../payload-store.ts'
import { createHiddenOutputs } from './hidden-outputs.ts'
import type { MetaCheck } from './output-judge.ts'
import { createOutputJudge } from './output-judge.ts'
import type { Outputs } from './outputs.ts'
import type { PolicyBookParts } from './policy-book.ts'
import { createPolicyBook } from './policy-book.ts'
import { createDirectScanner } from './scan-json.ts'
import type { OutputScanner } from './scan-message.ts'

/** Whatever of it another may bring. */
export interface OutputOptions {
  /** Looks into results; this very thread when absent. */
  readonly scanner?: OutputScanner
  /** Judges by metadata; the rules alone when absent. */
  readonly metaCheck?: MetaCheck
}

export function createOutputs(
  parts: PolicyBookParts & { readonly payloads: PayloadStore; readonly settings: EngineSettings },
  options: OutputOptions = {},
): Outputs {
  const { scanner = createDirectScanner(), metaCheck } = options
  const book = createPolicyBook(parts)
  const judge = createOutputJudge({
    ...parts,
    book,
    scanner,
    ...(metaCheck === undefined ? {} : { metaCheck }),
  })
  return { book, judge, scanner, hidden: createHiddenOutputs(parts) }
}
