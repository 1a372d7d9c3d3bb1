/** Selected steps become a workflow of their own: its name, what it gets and gives, or what speaks against it. */

import { PackageOpen, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Extracted } from '../../../src-engine/model/extraction/extract.ts'
import type { ExtractRefusal } from '../../../src-engine/model/extraction/selection-shape.ts'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useDocument, useView } from '../../state/context.ts'
import { extraction, extractSelection } from '../../state/extracting.ts'
import { titleOfStep } from '../../state/step-title.ts'
import { extractRefusals, extractWords as words } from '../../text/extract-words.ts'
import { fill } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import styles from './dialogs.module.css'
import { SendFooter } from './SendFooter.tsx'
import { useSending } from './use-sending.ts'

export function ExtractDialog() {
  const designer = useDesigner()
  const chosen = useView((state) => state.selection.nodes)
  const titleOf = useTitles()
  const [name, setName] = useState(chosen.length === 1 ? titleOf(chosen[0] as NodeId) : '')
  // What it would be doesn't depend on its name.
  const [made] = useState(() => extraction(designer, ''))
  const close = (): void => designer.view.getState().setDialog(null)
  const [asTask, setAsTask] = useState(false)
  const make = async (): Promise<void> => {
    const isMade = await extractSelection(designer, name.trim())
    designer.view.getState().setDialog(isMade && asTask ? 'save-task' : null)
  }
  const sending = useSending(make, () => undefined)
  const count = chosen.length === 1 ? words.oneStep : fill(words.steps, { count: String(chosen.length) })
  return (
    <Modal title={words.title} onClose={close} testId="extract-dialog" width={480}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          if (made.ok) void sending.send()
        }}
      >
        {made.ok ? (
          <>
            <p>{fill(words.lead, { count })}</p>
            <label className={styles['labelled']}>
              {words.name}
              <input
                className={controls['field']}
                value={name}
                maxLength={200}
                data-testid="extract-name"
                onChange={(event) => setName(event.currentTarget.value)}
              />
            </label>
            <Interface made={made.made} titleOf={titleOf} />
            <label className={styles['ticked']}>
              <input
                type="checkbox"
                checked={asTask}
                data-testid="extract-as-task"
                onChange={(event) => setAsTask(event.currentTarget.checked)}
              />
              {words.asTask}
            </label>
          </>
        ) : (
          <Refusal refusal={made.refusal} titleOf={titleOf} />
        )}
        <SendFooter
          sending={sending}
          label={words.make}
          icon={PackageOpen}
          testId="extract-send"
          isDisabled={!made.ok || name.trim() === ''}
          onClose={close}
        />
      </form>
    </Modal>
  )
}

type TitleOf = (id: NodeId) => string

function useTitles(): TitleOf {
  const designer = useDesigner()
  const nodes = useDocument(({ history }) => history.document.nodes)
  return (id) => titleOfStep({ nodes }, designer.specs, id)
}

function Interface({ made, titleOf }: { readonly made: Extracted; readonly titleOf: TitleOf }) {
  const { reads, results } = made
  const named = (id: NodeId): string => fill(words.resultOf, { title: titleOf(id) })
  const gets = [
    words.arrives,
    ...reads.nodes.map(named),
    ...(reads.item ? [words.item] : []),
    ...(reads.loop ? [words.loop] : []),
    ...(reads.run ? [words.run] : []),
    ...(reads.vars ? [words.vars] : []),
  ]
  const gives = results.length > 0 ? results.map(named) : [words.all]
  return (
    <dl className={styles['facts']} data-testid="extract-facts">
      <dt>{words.gets}</dt>
      <dd>
        <ul>
          {gets.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </dd>
      <dt>{words.gives}</dt>
      <dd>
        <ul>
          {gives.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </dd>
    </dl>
  )
}

function Refusal({ refusal, titleOf }: { readonly refusal: ExtractRefusal; readonly titleOf: TitleOf }) {
  const steps = [...new Set(refusal.nodes)].map((id) => `“${titleOf(id)}”`).join(', ')
  return (
    <>
      <p className={styles['stays']} role="alert" data-testid="extract-refusal">
        <TriangleAlert size={14} aria-hidden /> {words.notPossible}
      </p>
      <p>{fill(extractRefusals[refusal.code], { steps: steps === '' ? 'the workflow' : steps })}</p>
    </>
  )
}
