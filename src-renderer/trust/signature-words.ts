/** Who signed a version, in a sentence. Pure. */

import type { SignatureView } from '../../src-engine/protocol/trust.ts'
import { fill } from '../text/messages.ts'
import { trustWords as words } from '../text/trust-words.ts'

/** Names of those who signed, with what this computer knows of them. */
export function signatureWords(signatures: readonly SignatureView[]): string {
  if (signatures.length === 0) return words.notSigned
  return fill(words.signedBy, { names: signatures.map(nameOf).join(', ') })
}

function nameOf({ name, isOwn, isTrusted }: SignatureView): string {
  if (name === null) return words.unknownKey
  if (isOwn) return fill(words.byYou, { name })
  return isTrusted ? fill(words.believed, { name }) : name
}
