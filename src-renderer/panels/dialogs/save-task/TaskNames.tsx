/** What people see of a task: title, kind, description, icon and category. */

import { useId, useState } from 'react'
import type { CustomTaskFault } from '../../../../src-engine/model/custom-task.ts'
import { customKindHint, customKindPattern } from '../../../../src-engine/model/custom-task.ts'
import type { TaskCategory } from '../../../../src-engine/model/task-spec.ts'
import { categoryTitles } from '../../../text/messages.ts'
import { taskWords as words } from '../../../text/task-words.ts'
import controls from '../../../ui/controls.module.css'
import { TaskIcon } from '../../../ui/TaskIcon.tsx'
import { taskIconNames } from '../../../ui/task-icon.ts'
import styles from '../dialogs.module.css'
import own from './SaveTask.module.css'

export interface TaskNaming {
  readonly title: string
  /** Null while it follows the title. */
  readonly kind: string | null
  readonly description: string
  readonly icon: string
  readonly category: TaskCategory
  readonly open: readonly string[]
}

export function TaskNames(props: {
  readonly naming: TaskNaming
  readonly kind: string
  readonly isTaken: boolean
  readonly fault: CustomTaskFault | null
  readonly onChange: (changes: Partial<TaskNaming>) => void
}) {
  const { naming, onChange, fault } = props
  return (
    <>
      <label className={styles['labelled']}>
        {words.name}
        <input
          className={controls['field']}
          value={naming.title}
          maxLength={100}
          data-testid="task-title"
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      </label>
      <Kind {...props} />
      <label className={styles['labelled']}>
        {words.description}
        <input
          className={controls['field']}
          value={naming.description}
          maxLength={500}
          placeholder={words.descriptionHint}
          data-testid="task-description"
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </label>
      {fault !== null && isOfNobody(fault) && (
        <p className={own['fault']} role="alert" data-testid="task-fault">
          {fault.message}
        </p>
      )}
    </>
  )
}

/** Faults of what was typed stand beside it, and an empty title says itself what it lacks. */
const isOfNobody = ({ path: [first] }: CustomTaskFault): boolean => first !== 'kind' && first !== 'title'

function Kind(props: Parameters<typeof TaskNames>[0]) {
  const { kind, isTaken, onChange } = props
  const hint = useId()
  const isWrong = !customKindPattern.test(kind)
  const note = isWrong ? customKindHint : isTaken ? words.kindTaken : words.kindHint
  return (
    <label className={styles['labelled']}>
      {words.kind}
      <input
        className={`${controls['field']} ${own['kind']}`}
        value={kind}
        maxLength={100}
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby={hint}
        data-testid="task-kind"
        onChange={(event) => onChange({ kind: event.currentTarget.value })}
      />
      <small id={hint} className={own['note']} data-tone={isWrong ? 'bad' : isTaken ? 'wait' : undefined}>
        {note}
      </small>
    </label>
  )
}

/** What the palette shows of it, and where. */
export function TaskLooks(props: Pick<Parameters<typeof TaskNames>[0], 'naming' | 'onChange'>) {
  const { naming, onChange } = props
  return (
    <>
      <label className={styles['labelled']}>
        {words.category}
        <select
          className={controls['field']}
          value={naming.category}
          data-testid="task-category"
          // The values are those of the list below.
          onChange={(event) => onChange({ category: event.currentTarget.value as TaskCategory })}
        >
          {Object.entries(categoryTitles).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Icons value={naming.icon} onChoose={(icon) => onChange({ icon })} />
    </>
  )
}

function Icons({ value, onChoose }: { readonly value: string; readonly onChoose: (icon: string) => void }) {
  // The one that it begins with stands first, where it is seen.
  const [first] = useState(value)
  const names = [...new Set([first, ...taskIconNames])]
  return (
    <fieldset className={own['icons']}>
      <legend>{words.icon}</legend>
      <div>
        {names.map((name) => (
          <label key={name} title={name}>
            <input
              type="radio"
              name="task-icon"
              aria-label={name}
              checked={name === value}
              onChange={() => onChoose(name)}
            />
            <TaskIcon name={name} size={15} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
