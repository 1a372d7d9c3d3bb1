/** A trigger: how it stands, what it did and does next, and the form of its kind. */

import { X } from 'lucide-react'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { removeTrigger } from '../../../commands/triggers.ts'
import { FormProvider } from '../../../forms/FormProvider.tsx'
import { isWithin } from '../../../forms/form-context.ts'
import { useDesigner, useDocument, useTriggers } from '../../../state/context.ts'
import { useFreshTrigger, useReadOnly, useShownDocument } from '../../../state/selectors.ts'
import { fill } from '../../../text/messages.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TaskIcon } from '../../../ui/TaskIcon.tsx'
import inspector from '../Inspector.module.css'
import { TriggerFacts } from './TriggerFacts.tsx'
import { TriggerForm } from './TriggerForm.tsx'
import styles from './Triggers.module.css'

export function TriggerInspector({ id }: { readonly id: string }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const trigger = useShownDocument(({ triggers }) => triggers?.[id]) ?? null
  const view = useTriggers((state) => state.views?.get(id) ?? null)
  const problems = useDocument((state) => state.problems)
  const isFresh = useFreshTrigger(id)
  const kind = trigger?.kind ?? view?.kind ?? ''
  const spec = triggerSpecsByKind.get(kind)
  const title = trigger?.title ?? view?.title ?? spec?.title ?? kind
  const { edit, endGesture } = designer.document.getState()
  const form = {
    nodeId: null,
    isReadOnly,
    problems: isFresh ? [] : problems.filter(({ field }) => isWithin(field, `triggers.${id}`)),
    onLeave: endGesture,
  }
  return (
    <>
      <header className={inspector['head']}>
        <span className={styles['tile']}>
          <TaskIcon name={spec?.icon} size={17} />
        </span>
        <span className={inspector['names']}>
          <b>{title}</b>
          <code>{id}</code>
        </span>
        {!isReadOnly && trigger !== null && (
          <span className={styles['headTools']}>
            <IconButton
              icon={X}
              label={fill(words.remove, { title })}
              onClick={() => {
                edit(removeTrigger(id))
                designer.view.getState().select({})
              }}
            />
          </span>
        )}
      </header>
      <div className={inspector['scroll']}>
        <div className={inspector['section']} data-testid="trigger-inspector" data-trigger={id}>
          {!isReadOnly && kind !== 'manual' && <TriggerFacts id={id} title={title} trigger={trigger} />}
          {trigger !== null && (
            <FormProvider value={form}>
              <TriggerForm id={id} trigger={trigger} />
            </FormProvider>
          )}
        </div>
      </div>
    </>
  )
}
