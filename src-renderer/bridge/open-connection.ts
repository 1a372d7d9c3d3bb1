/** Picks the transport at run time: the desktop's port where there is one, else a WebSocket. */

import type { EngineConnection } from './connection.ts'
import { createConnection } from './connection.ts'
import { findDesktop } from './desktop.ts'
import { openDesktopChannel } from './message-port-channel.ts'
import { takeSessionToken } from './session-token.ts'
import { engineAddress, openWebSocketChannel } from './web-socket-channel.ts'

/** The page's connection to its engine; with a cluster, through the engine to that. */
export function openConnection(cluster: { readonly name: string } | null): EngineConnection {
  const desktop = findDesktop()
  return createConnection({
    open: () =>
      desktop === null ? openWebSocketChannel(engineAddress(location)) : openDesktopChannel(desktop, window),
    token: desktop === null ? takeSessionToken(window) : null,
    cluster: cluster?.name ?? null,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
  })
}
