/** The page's entry: the real services of a browser or desktop page. */

import './theme/global.css'
import './zod-without-code.ts'
import { taskSpecsByKind } from '../src-engine/tasks/specs.ts'
import { followAddress } from './bridge/address-link.ts'
import { findDesktop } from './bridge/desktop.ts'
import { noticesOf } from './bridge/notices.ts'
import { openConnection } from './bridge/open-connection.ts'
import { browserAmbient, browserExchange, browserMemory } from './bridge/page-services.ts'
import { readSelected } from './clusters/selected-cluster.ts'
import { startDesigner } from './start.tsx'
import { openLink } from './state/open-link.ts'

const desktop = findDesktop()
const root = document.querySelector<HTMLElement>('#root')
if (root === null) throw new Error('index.html has no #root.')
const { designer, restored } = startDesigner(
  {
    connection: openConnection(readSelected(browserMemory)),
    connectTo: openConnection,
    desktop,
    specs: taskSpecsByKind,
    ambient: browserAmbient,
    memory: browserMemory,
    exchange: browserExchange,
    notices: noticesOf(desktop),
    restart: () => location.reload(),
  },
  root,
)
if (desktop === null) followAddress(window, (link) => void restored.then(() => openLink(designer, link)))
