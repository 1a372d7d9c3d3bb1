/** The engine's pages, in the order of their tabs. A new one is a component and a line here. */

import type { FunctionComponent } from 'react'
import type { EnginePageId } from '../../state/view-store.ts'
import { RunnersPage } from './RunnersPage.tsx'
import { SettingsPage } from './SettingsPage.tsx'

export const enginePages: readonly {
  readonly id: EnginePageId
  readonly title: string
  readonly Page: FunctionComponent
}[] = [
  { id: 'runners', title: 'Runners', Page: RunnersPage },
  { id: 'settings', title: 'Settings', Page: SettingsPage },
]
