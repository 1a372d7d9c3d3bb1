/** The page's entry: the real services of a browser or desktop page. */

import './theme/global.css'
import './zod-without-code.ts'
import { taskSpecsByKind } from '../src-engine/tasks/specs.ts'
import { followAddress, isAsideAddress } from './bridge/address-link.ts'
import { findDesktop } from './bridge/desktop.ts'
import { noticesOf } from './bridge/notices.ts'
import { openConnection } from './bridge/open-connection.ts'
import { browserAmbient, browserMemory, browserPages, exchangeOf } from './bridge/page-services.ts'
import { readSelected } from './clusters/selected-cluster.ts'
import { startDesigner } from './start.tsx'
import { openLink } from './state/open-link.ts'
import { beginAside } from './state/run-aside.ts'

const desktop = findDesktop()
const root = document.querySelector<HTMLElement>('#root')
// Before the address is taken apart.
const isAside = isAsideAddress(location.hash)
if (root === null) throw new Error('index.html has no #root.')
const { designer, restored } = startDesigner(
  {
    connection: openConnection(readSelected(browserMemory)),
    connectTo: openConnection,
    desktop,
    specs: taskSpecsByKind,
    ambient: browserAmbient,
    memory: browserMemory,
    exchange: exchangeOf(desktop),
    notices: noticesOf(desktop),
    pages: browserPages(),
    isAside,
    restart: () => location.reload(),
  },
  root,
)
if (desktop === null) {
  const show = isAside ? beginAside : openLink
  followAddress(window, (link) => void restored.then(() => show(designer, link)))
}
