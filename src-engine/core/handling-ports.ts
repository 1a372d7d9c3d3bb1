/** Where the end of a failed node goes when its workflow handles it. */

import { errorPort, outputPort } from '../model/workflow.ts'
import type { CompiledNode } from './compile.ts'

/** The ports that a failure leaves by; null when nothing handles it and the run fails. */
export function handlingPorts(node: CompiledNode): readonly string[] | null {
  if (node.hasErrorEdge) return [errorPort]
  return node.onError === 'continue' ? [outputPort] : null
}
