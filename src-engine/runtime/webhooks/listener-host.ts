/** Starts the process that listens for web calls. */

import { fileURLToPath } from 'node:url'
import { entryFile } from '../../tasks/entry-file.ts'
import type { GuardedHost } from '../../tasks/guarded-process.ts'
import { createNodeGuardedHost } from '../../tasks/guarded-process.ts'

/** Room for the bodies of as many calls as there may be at once, and their copies on the way. */
const listenerHeapMb = 384

/** The host for a plain Node process. */
export function createNodeListenerHost(): GuardedHost {
  const entry = entryFile({
    from: import.meta.url,
    source: '../webhook-listener.ts',
    bundled: 'webhook-listener',
  })
  return createNodeGuardedHost({ entry: fileURLToPath(entry), root: '../..', heapMb: listenerHeapMb })
}
