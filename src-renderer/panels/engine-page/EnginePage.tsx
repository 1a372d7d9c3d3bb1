/** What stands behind the canvas: who works, and what needs a person. Full width, one list at a time. */

import { X } from 'lucide-react'
import { useState } from 'react'
import { useConnectionState, useDesigner, useInbox, useLetters, useView } from '../../state/context.ts'
import { connectionWords } from '../../text/connection-words.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './EnginePage.module.css'
import { enginePages } from './pages.ts'

export function EnginePage() {
  const designer = useDesigner()
  const current = useView((state) => state.enginePage)
  const count = useLetters((state) => state.letters.length)
  const waiting = useInbox((state) => state.entries.length)
  const page = enginePages.find(({ id }) => id === current)
  const { setEnginePage } = designer.view.getState()
  if (page === undefined) return null
  const { Page, isSplit } = page
  return (
    <main className={styles['page']} data-testid="engine-page" aria-label="Engine">
      <Tabs
        label="Engine"
        tabs={enginePages.map(({ id, title }) => {
          if (id === 'dead-letters') return { id, title, count, tone: 'bad' }
          return id === 'inbox' ? { id, title, count: waiting } : { id, title }
        })}
        current={page.id}
        onChoose={(id) => setEnginePage(id)}
      >
        <span className={styles['spring']} />
        <IconButton icon={X} label="Back to the workflow" onClick={() => setEnginePage(null)} />
      </Tabs>
      <Unanswered key={page.id} />
      {isSplit ? (
        <div className={styles['whole']}>
          <Page />
        </div>
      ) : (
        <div className={styles['scroll']}>
          <div className={styles['inside']}>
            <Page />
          </div>
        </div>
      )}
    </main>
  )
}

/** On a page that was opened while nobody answers: what was known of the others stays. */
function Unanswered() {
  const { status } = useConnectionState()
  const [hasAnswered, setAnswered] = useState(status === 'open')
  if (status === 'open' && !hasAnswered) setAnswered(true)
  if (hasAnswered || status === 'connecting') return null
  return (
    <p className={styles['none']} data-testid="page-unanswered">
      {connectionWords.page}
    </p>
  )
}
