/** The card of a trigger: what it is, when it starts, how it stands, what it did last. */

import { CircleAlert, Play, ShieldAlert } from 'lucide-react'
import { memo } from 'react'
import { compositesWith } from '../../../src-engine/model/composite.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { inPlace } from '../../forms/field-problem.ts'
import { useDesigner, useDocument, useTriggers, useView } from '../../state/context.ts'
import { useFreshTrigger, useShownDocument } from '../../state/selectors.ts'
import { beginFire, switchTrigger } from '../../state/trigger-acts.ts'
import { conditions } from '../../text/condition-words.ts'
import { fill } from '../../text/messages.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import { LiveLine } from './LiveLine.tsx'
import styles from './TriggerCard.module.css'
import type { TriggerLook } from './trigger-look.ts'
import { lookOf, summaryOf } from './trigger-look.ts'
import { useScheduleWords } from './use-schedule-words.ts'

export const TriggerCard = memo(function TriggerCard(props: {
  readonly id: string
  readonly isReadOnly: boolean
}) {
  const { id, isReadOnly } = props
  const designer = useDesigner()
  const trigger = useShownDocument(({ triggers }) => triggers?.[id]) ?? null
  const views = useTriggers((state) => state.views)
  const isSelected = useView((state) => state.selection.triggers.includes(id))
  const isFresh = useFreshTrigger(id)
  const problem = useDocument(({ problems }) =>
    isFresh ? undefined : problems.find(({ field }) => field?.startsWith(`triggers.${id}.`) === true),
  )
  const view = views?.get(id) ?? null
  const kind = trigger?.kind ?? view?.kind ?? ''
  const parameters = trigger?.parameters ?? view?.parameters ?? {}
  const spec = triggerSpecsByKind.get(kind)
  const title = trigger?.title ?? view?.title ?? spec?.title ?? kind
  const look = lookOf(id, trigger, views)
  const select = (): void => {
    designer.view.getState().select({ triggers: [id] })
    designer.view.getState().setPanels({ isInspectorOpen: true })
  }
  return (
    <li
      className={styles['card']}
      data-testid={`trigger-card-${id}`}
      data-trigger={id}
      data-standing={look.standing}
      data-tone={look.isUnsigned || problem?.severity === 'error' ? 'bad' : look.tone}
      data-on={look.isOn ?? undefined}
      data-selected={isSelected || undefined}
    >
      <button
        type="button"
        className={styles['main']}
        data-stop={id}
        aria-pressed={isSelected}
        title={problem?.message ?? look.words}
        onClick={select}
      >
        <span className={styles['tile']}>
          <TaskIcon name={spec?.icon} size={16} strokeWidth={1.9} />
        </span>
        <span className={styles['text']}>
          <b>{title}</b>
          <CardWords kind={kind} parameters={parameters} />
        </span>
      </button>
      {!isReadOnly && view !== null && look.standing !== 'unknown' && (
        <CardTools id={id} title={title} look={look} />
      )}
      {look.isUnsigned && (
        <span className={styles['mark']} title={words.unsigned} data-testid="trigger-unsigned">
          <ShieldAlert size={12} aria-hidden /> {words.unsignedShort}
        </span>
      )}
      {problem !== undefined && (
        <span className={styles['mark']} title={problem.hint} data-testid="trigger-problem">
          <CircleAlert size={12} aria-hidden /> {inPlace(problem.message)}
        </span>
      )}
      {!isReadOnly && <Foot look={look} id={id} kind={kind} parameters={parameters} />}
    </li>
  )
})

function CardWords({ kind, parameters }: { readonly kind: string; readonly parameters: JsonObject }) {
  return kind === 'cron' ? (
    <ScheduleWords parameters={parameters} />
  ) : (
    <small>{summaryOf(kind, parameters)}</small>
  )
}

function ScheduleWords({ parameters }: { readonly parameters: JsonObject }) {
  const said = useScheduleWords(parameters)?.words ?? summaryOf('cron', parameters)
  return <small title={said}>{said}</small>
}

/** Fire and switch: of what is published, whatever the document says. */
function CardTools(props: { readonly id: string; readonly title: string; readonly look: TriggerLook }) {
  const { id, title, look } = props
  const designer = useDesigner()
  const isOn = look.isOn === true
  return (
    <span className={styles['tools']}>
      <IconButton
        icon={Play}
        label={`${words.fire}: ${title}`}
        data-testid="trigger-fire"
        disabled={look.standing === 'problem'}
        onClick={() => beginFire(designer, id)}
      />
      <button
        type="button"
        role="switch"
        className={controls['switch']}
        aria-checked={isOn}
        aria-label={fill(isOn ? words.switchOff : words.switchOn, { title })}
        data-testid="trigger-switch"
        onClick={() => void switchTrigger(designer, id, !isOn)}
      />
    </span>
  )
}

/** How it stands where that isn't plain, and what it does next and did last. */
function Foot(props: {
  readonly look: TriggerLook
  readonly id: string
  readonly kind: string
  readonly parameters: JsonObject
}) {
  const { look, id, kind, parameters } = props
  const isPlain = look.standing === 'acts' || look.standing === 'asking'
  const part = usePartWords(id)
  return (
    <>
      {part !== null && (
        <span className={styles['standing']} data-testid="trigger-part">
          {part}
        </span>
      )}
      {!isPlain && (
        <span className={styles['standing']} data-testid="trigger-standing">
          {look.words}
        </span>
      )}
      {look.standing !== 'unknown' && <LiveLine id={id} kind={kind} parameters={parameters} look={look} />}
    </>
  )
}

/** That it is a condition of others, which start the runs; null for what starts them itself. */
function usePartWords(id: string): string | null {
  const titles = useShownDocument((document) =>
    compositesWith(document, id)
      .map((of) => document.triggers?.[of]?.title ?? of)
      .join(', '),
  )
  return titles === '' ? null : fill(conditions.part, { titles })
}
