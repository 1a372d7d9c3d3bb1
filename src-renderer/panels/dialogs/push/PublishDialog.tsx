/** Before a workflow that is published already is published anew: what changes, and which runs that concerns. */

import { Stamp } from 'lucide-react'
import { useMemo, useState } from 'react'
import { DiffCanvas } from '../../../canvas/diff/DiffCanvas.tsx'
import { diffGraph } from '../../../canvas/diff/diff-graph.ts'
import { useDesigner, useSites } from '../../../state/context.ts'
import { publishNow } from '../../../state/publish-here.ts'
import { showRunOf } from '../../../state/show-run.ts'
import type { PushView } from '../../../state/sites-store.ts'
import { fill } from '../../../text/messages.ts'
import { publishWords as words } from '../../../text/publish-words.ts'
import { pushWords } from '../../../text/site-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Modal } from '../../../ui/Modal.tsx'
import { BlastRadius } from './BlastRadius.tsx'
import { ChangeList } from './ChangeList.tsx'
import styles from './Push.module.css'

type Known = Extract<PushView, { readonly status: 'known' }>

export function PublishDialog() {
  const view = useSites((state) => state.publishing)
  return view === null ? null : <Publish view={view} />
}

function Publish({ view }: { readonly view: Known }) {
  const designer = useDesigner()
  const { preview, before, after } = view
  const [selected, setSelected] = useState<string | null>(null)
  const graph = useMemo(() => diffGraph(before, after, preview.changes), [before, after, preview])
  const close = (): void => {
    designer.sites.getState().setPublishing(null)
    designer.view.getState().setDialog(null)
  }
  return (
    <Modal
      title={fill(words.title, { title: after.title })}
      onClose={close}
      testId="publish-dialog"
      width={1120}
    >
      <form
        className={styles['dialog']}
        onSubmit={(event) => {
          event.preventDefault()
          close()
          void publishNow(designer)
        }}
      >
        <div className={styles['look']} data-status="known">
          <div className={styles['picture']}>
            <DiffCanvas
              graph={graph}
              label={pushWords.canvas}
              words={pushWords}
              selected={selected}
              onSelect={setSelected}
            />
          </div>
          <div className={styles['words']}>
            <BlastRadius
              preview={preview}
              onOpen={(runId) => {
                close()
                void showRunOf(designer, { runId, nodeId: null, site: null })
              }}
            />
            <h3>{pushWords.changes}</h3>
            {preview.changes.length === 0 && <p>{pushWords.noChange}</p>}
            <ChangeList
              view={{ changes: preview.changes, before, after }}
              selected={selected}
              onSelect={setSelected}
            />
          </div>
        </div>
        <div className={styles['end']}>
          <footer>
            <span className={styles['spring']} />
            <Button onClick={close}>{words.cancel}</Button>
            <Button type="submit" kind="primary" icon={Stamp} testId="publish-confirm" data-focus>
              {words.publish}
            </Button>
          </footer>
        </div>
      </form>
    </Modal>
  )
}
