/** What a run starts with, asked by the workflow's own form. */

import { Pin, Play } from 'lucide-react'
import { useDesigner, useDocument, useSites } from '../../state/context.ts'
import { startRun } from '../../state/follow-runs.ts'
import type { Site } from '../../state/site.ts'
import { isHere } from '../../state/site-lines.ts'
import { fill } from '../../text/messages.ts'
import { coverage } from '../../text/saga-words.ts'
import { siteWords } from '../../text/site-words.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useSagaEffects } from '../rollback/use-coverage.ts'
import styles from './dialogs.module.css'
import { RunInputForm } from './RunInputForm.tsx'

export function StartDialog() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const site = useSites((state) => state.startAt)
  const close = (): void => designer.view.getState().setDialog(null)
  return (
    <Modal
      title={isHere(designer, site) ? `Run ${title}` : `Run ${title} on ${whereOf(site)}`}
      onClose={close}
      testId="start-dialog"
    >
      <RunInputForm
        action={{ label: 'Run', icon: Play }}
        onSend={async (input) => {
          await startRun(designer, input, site)
        }}
        onClose={close}
      >
        <WouldStay />
      </RunInputForm>
    </Modal>
  )
}

/** What can't be undone is told before, not after. */
function WouldStay() {
  const { effects } = useSagaEffects()
  const nodes = useDocument((state) => state.history.document.nodes)
  const staying = effects.filter(({ plan }) => plan === 'impossible')
  if (staying.length === 0) return null
  const titles = staying.map(({ nodeId, inside, reason }) => {
    const steps = [nodes[nodeId]?.title ?? nodeId, ...inside.map(({ title }) => title)]
    return `“${steps.join(' › ')}” (${reason ?? ''})`
  })
  return (
    <p className={styles['stays']} data-testid="would-stay">
      <Pin size={13} aria-hidden /> {fill(coverage.before, { titles: titles.join(', ') })}
    </p>
  )
}

const whereOf = (site: Site): string => site?.name ?? siteWords.local.toLowerCase()
