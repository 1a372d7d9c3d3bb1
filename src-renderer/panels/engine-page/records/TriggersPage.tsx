/** Why a run started, and why none did: the records of triggers, and the events that they heard. */

import { useDesigner, useRecords } from '../../../state/context.ts'
import { records as words } from '../../../text/record-words.ts'
import { Tabs } from '../../../ui/Tabs.tsx'
import { EventRecords } from './EventRecords.tsx'
import { FiringRecords } from './FiringRecords.tsx'
import styles from './Records.module.css'

const tabs = [
  { id: 'firings', title: words.tabs.firings },
  { id: 'events', title: words.tabs.events },
] as const

export function TriggersPage() {
  const designer = useDesigner()
  const about = useRecords((state) => state.about)
  return (
    <div className={styles['page']} data-testid="triggers-page">
      <Tabs
        label={words.label}
        tabs={tabs}
        current={about}
        onChoose={(id) => designer.records.getState().look({ about: id })}
      />
      <div className={styles['body']}>{about === 'events' ? <EventRecords /> : <FiringRecords />}</div>
    </div>
  )
}
