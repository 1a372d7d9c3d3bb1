/** The page's entry: the real services of a browser or desktop page. */

import './theme/global.css'
import { z } from 'zod'
import { taskSpecsByKind } from '../src-engine/tasks/specs.ts'
import { findDesktop } from './bridge/desktop.ts'
import { openConnection } from './bridge/open-connection.ts'
import { browserAmbient, browserExchange, browserMemory } from './bridge/page-services.ts'
import { startDesigner } from './start.tsx'

// The page's content policy allows no code made from text, which zod would try.
z.config({ jitless: true })

const root = document.querySelector<HTMLElement>('#root')
if (root === null) throw new Error('index.html has no #root.')
startDesigner(
  {
    connection: openConnection(),
    desktop: findDesktop(),
    specs: taskSpecsByKind,
    ambient: browserAmbient,
    memory: browserMemory,
    exchange: browserExchange,
  },
  root,
)
