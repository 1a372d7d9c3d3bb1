/** One scan, wherever it is done: the policy is made ready once, for as long as it stays the same. */

import type { CompiledPolicy } from '../../core/output/compiled-policy.ts'
import { compilePolicy } from '../../core/output/compiled-policy.ts'
import type { ContentVerdict } from '../../core/output/judge.ts'
import { allowed, judgeContent } from '../../core/output/judge.ts'
import type { JsonValue } from '../../model/json.ts'
import type { OutputScanner, ScanRequest } from './scan-message.ts'

/** Scans with the policy that was asked for last at hand. */
export function createJsonScan(): (request: ScanRequest) => ContentVerdict {
  let known: { readonly hash: string; readonly compiled: CompiledPolicy | null } | null = null
  return ({ policy, hash, meta, json }) => {
    known = known?.hash === hash ? known : { hash, compiled: compilePolicy(policy, hash) }
    if (known.compiled === null) return allowed
    return judgeContent(known.compiled, meta, JSON.parse(json) as JsonValue)
  }
}

/** Scans in this very thread: for values and policies that are known to be harmless. */
export function createDirectScanner(): OutputScanner {
  const scan = createJsonScan()
  return { scan: async (request) => scan(request), close: async () => undefined }
}
