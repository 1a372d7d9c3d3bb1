/** What a composite trigger waits for: all or any of other triggers of the workflow, each with its own form. */

import { X } from 'lucide-react'
import { conditionsOf } from '../../../../src-engine/model/composite.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import { summaryOf } from '../../../canvas/triggers/trigger-look.ts'
import { freeTriggerId } from '../../../commands/new-ids.ts'
import { addCondition, changeTrigger } from '../../../commands/triggers.ts'
import { isWithin, useForm } from '../../../forms/form-context.ts'
import { useDesigner, useTriggers } from '../../../state/context.ts'
import { useShownDocument } from '../../../state/selectors.ts'
import { conditions as words } from '../../../text/condition-words.ts'
import { fill } from '../../../text/messages.ts'
import controls from '../../../ui/controls.module.css'
import { IconButton } from '../../../ui/IconButton.tsx'
import { TaskIcon } from '../../../ui/TaskIcon.tsx'
import styles from './Conditions.module.css'

/** What can't be a condition: nothing occurs by itself, or it has conditions of its own. */
const excluded = ['manual', 'composite']
const modes = ['all', 'any'] as const

interface ConditionsProps {
  readonly id: string
  readonly parameters: JsonObject
}

export function ConditionsForm({ id, parameters }: ConditionsProps) {
  const { problems } = useForm()
  const mode = parameters['mode'] === 'any' ? 'any' : 'all'
  const named = conditionsOf(parameters)
  const own = problems.filter(({ field }) => isWithin(field, `triggers.${id}.parameters.conditions`))
  return (
    <section className={styles['conditions']} aria-label={words.title} data-testid="conditions">
      <ModeSwitch id={id} parameters={parameters} mode={mode} />
      {named.length === 0 && <p className={styles['none']}>{words.none}</p>}
      <ol>
        {named.map((condition, place) => (
          <li key={condition}>
            {place > 0 && <span className={styles['joint']}>{words.joint[mode]}</span>}
            <Condition of={id} parameters={parameters} condition={condition} />
          </li>
        ))}
      </ol>
      {own.map(({ message, hint }) => (
        <p key={message} className={styles['problem']} role="alert">
          {message} {hint}
        </p>
      ))}
      <AddCondition id={id} named={named} />
    </section>
  )
}

function ModeSwitch({ id, parameters, mode }: ConditionsProps & { readonly mode: 'all' | 'any' }) {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const { edit, endGesture } = designer.document.getState()
  return (
    <fieldset className={styles['modes']}>
      <legend>{words.mode}</legend>
      <div>
        {modes.map((one) => (
          <label key={one} data-checked={one === mode || undefined}>
            <input
              type="radio"
              name={`mode-${id}`}
              checked={one === mode}
              disabled={isReadOnly}
              data-testid={`mode-${one}`}
              onChange={() => {
                edit(changeTrigger(id, { parameters: { ...parameters, mode: one } }, 'mode'))
                endGesture()
              }}
            />
            {words.modes[one]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Condition(props: {
  readonly of: string
  readonly parameters: JsonObject
  readonly condition: string
}) {
  const { of, parameters, condition } = props
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const trigger = useShownDocument(({ triggers }) => triggers?.[condition]) ?? null
  const isMet = useMet(of, condition)
  const title = titleOf(condition, trigger)
  const { edit, endGesture } = designer.document.getState()
  return (
    <div className={styles['row']} data-testid={`condition-${condition}`} data-met={isMet ?? undefined}>
      <button
        type="button"
        title={words.open}
        onClick={() => designer.view.getState().select({ triggers: [condition] })}
      >
        <TaskIcon name={triggerSpecsByKind.get(trigger?.kind ?? '')?.icon} size={15} strokeWidth={1.9} />
        <span>
          <b>{title}</b>
          <small>{trigger === null ? words.gone : summaryOf(trigger.kind, trigger.parameters ?? {})}</small>
        </span>
        {isMet !== null && <i>{isMet ? words.met : words.missing}</i>}
      </button>
      {!isReadOnly && (
        <IconButton
          icon={X}
          label={fill(words.remove, { title })}
          onClick={() => {
            const left = conditionsOf(parameters).filter((one) => one !== condition)
            edit(changeTrigger(of, { parameters: { ...parameters, conditions: left } }, 'conditions'))
            endGesture()
          }}
        />
      )}
    </div>
  )
}

/** Whether it has come while the others haven't; null while none has, or nobody knows. */
function useMet(of: string, condition: string): boolean | null {
  return useTriggers(({ views }) => {
    const view = views?.get(of)
    if (view === undefined || view.waiting.length === 0) return null
    return !view.missing.includes(condition)
  })
}

/** One that is there, or a new one of a kind, whose form is then a click away. */
function AddCondition({ id, named }: { readonly id: string; readonly named: readonly string[] }) {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const known = useShownDocument(({ triggers }) => triggers) ?? {}
  if (isReadOnly) return null
  const free = Object.entries(known).filter(
    ([one, { kind }]) => one !== id && !named.includes(one) && !excluded.includes(kind),
  )
  const add = (picked: string): void => {
    const [how, name = ''] = picked.split(':', 2)
    const { edit } = designer.document.getState()
    if (how === 'known') return edit(addCondition(id, name, null))
    const spec = triggerSpecsByKind.get(name)
    if (spec === undefined) return
    const fresh = freeTriggerId(name, new Set(Object.keys(known)))
    edit(addCondition(id, fresh, { kind: name, parameters: spec.defaults }))
  }
  return (
    <select
      className={controls['field']}
      aria-label={words.add}
      data-testid="add-condition"
      value=""
      onChange={(event) => add(event.currentTarget.value)}
    >
      <option value="">{words.addShort}</option>
      {free.length > 0 && (
        <optgroup label={words.known}>
          {free.map(([one, trigger]) => (
            <option key={one} value={`known:${one}`}>
              {titleOf(one, trigger)}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label={words.fresh}>
        {[...triggerSpecsByKind.values()]
          .filter(({ kind }) => !excluded.includes(kind))
          .map(({ kind, title }) => (
            <option key={kind} value={`new:${kind}`}>
              {title}
            </option>
          ))}
      </optgroup>
    </select>
  )
}

const titleOf = (id: string, trigger: WorkflowTrigger | null): string =>
  trigger?.title ?? triggerSpecsByKind.get(trigger?.kind ?? '')?.title ?? id
