/** The engine's pages, in the order of their tabs. A new one is a component and a line here. */

import type { FunctionComponent } from 'react'
import type { EnginePageId } from '../../state/engine-page-id.ts'
import { AuditPage } from './audit/AuditPage.tsx'
import { ClustersPage } from './clusters/ClustersPage.tsx'
import { DeadLettersPage } from './dead-letters/DeadLettersPage.tsx'
import { InboxPage } from './inbox/InboxPage.tsx'
import { LogsPage } from './logs/LogsPage.tsx'
import { PolicyPage } from './policy/PolicyPage.tsx'
import { PoolsPage } from './pools/PoolsPage.tsx'
import { QuarantinePage } from './quarantine/QuarantinePage.tsx'
import { RunnersPage } from './RunnersPage.tsx'
import { TriggersPage } from './records/TriggersPage.tsx'
import { RunsPage } from './runs/RunsPage.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { SchedulesPage } from './schedules/SchedulesPage.tsx'
import { SealingPage } from './sealing/SealingPage.tsx'
import { SecretsPage } from './secrets/SecretsPage.tsx'
import { TrustPage } from './trust/TrustPage.tsx'

export const enginePages: readonly {
  readonly id: EnginePageId
  readonly title: string
  /** Whether it fills the window by itself instead of standing in a column. */
  readonly isSplit: boolean
  readonly Page: FunctionComponent
}[] = [
  { id: 'inbox', title: 'Inbox', isSplit: true, Page: InboxPage },
  { id: 'runs', title: 'Runs', isSplit: false, Page: RunsPage },
  { id: 'logs', title: 'Logs', isSplit: false, Page: LogsPage },
  { id: 'runners', title: 'Runners', isSplit: false, Page: RunnersPage },
  { id: 'pools', title: 'Pools', isSplit: false, Page: PoolsPage },
  { id: 'triggers', title: 'Triggers', isSplit: true, Page: TriggersPage },
  { id: 'schedules', title: 'Schedules', isSplit: false, Page: SchedulesPage },
  { id: 'dead-letters', title: 'Dead letters', isSplit: true, Page: DeadLettersPage },
  { id: 'quarantine', title: 'Quarantine', isSplit: true, Page: QuarantinePage },
  { id: 'policy', title: 'Policy', isSplit: true, Page: PolicyPage },
  { id: 'audit', title: 'Audit', isSplit: false, Page: AuditPage },
  { id: 'clusters', title: 'Clusters', isSplit: false, Page: ClustersPage },
  { id: 'secrets', title: 'Secrets', isSplit: false, Page: SecretsPage },
  { id: 'sealing', title: 'Sealing', isSplit: false, Page: SealingPage },
  { id: 'trust', title: 'Trust', isSplit: false, Page: TrustPage },
  { id: 'settings', title: 'Settings', isSplit: false, Page: SettingsPage },
]
