/** A step set up once becomes a task: its name, what stays open, and the form that comes of it. */

import { Stamp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readCustomTask } from '../../../../src-engine/model/custom-task.ts'
import { suggestedKind, suggestedOpen, taskOfStep } from '../../../../src-engine/model/custom-task-of-step.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { useDesigner } from '../../../state/context.ts'
import type { TaskToSave } from '../../../state/saving-task.ts'
import { calledForm, materialOf, saveTask, selectedStep, taskOfKind } from '../../../state/saving-task.ts'
import { fill } from '../../../text/messages.ts'
import { taskWords as words } from '../../../text/task-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Modal } from '../../../ui/Modal.tsx'
import styles from '../dialogs.module.css'
import { SendFooter } from '../SendFooter.tsx'
import { useSending } from '../use-sending.ts'
import { OpenFields } from './OpenFields.tsx'
import own from './SaveTask.module.css'
import type { TaskNaming } from './TaskNames.tsx'
import { TaskLooks, TaskNames } from './TaskNames.tsx'
import { TaskPreview } from './TaskPreview.tsx'

type Called = Awaited<ReturnType<typeof calledForm>>

interface Made extends Pick<TaskToSave, 'step' | 'material'> {
  readonly naming: TaskNaming
  /** What is known of the workflow that the step calls. */
  readonly called: () => Promise<Called>
}

export function SaveTaskDialog() {
  const designer = useDesigner()
  // What the step says when the dialog opens is what is saved.
  const [made] = useState(() => beginning(designer))
  const close = (): void => designer.view.getState().setDialog(null)
  if (made === null) return null
  return (
    <Modal title={words.title} onClose={close} testId="save-task-dialog" width={880}>
      <TaskForm made={made} onClose={close} />
    </Modal>
  )
}

function beginning(designer: ReturnType<typeof useDesigner>): Made | null {
  const step = selectedStep(designer)
  const material = step === null ? null : materialOf(step)
  if (step === null || material === null) return null
  const { id, node, base } = step
  const before = taskOfKind(designer, node.kind)
  const title = node.title ?? ''
  const open = [...new Set([...suggestedOpen(material), ...(before?.open ?? [])])]
  const icon = before?.icon ?? base.icon
  const category = before?.category ?? base.category
  const naming = { title, kind: null, description: '', icon, category, open }
  return { step: id, material, naming, called: () => calledForm(designer, step) }
}

function TaskForm({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const designer = useDesigner()
  const { step, material } = made
  const [naming, setNaming] = useState(made.naming)
  const [becomes, setBecomes] = useState(true)
  const [byFields, setByFields] = useState(true)
  const called = useCalled(made)
  const [taken, setTaken] = useState<string | null>(null)
  const others = designer.customTasks.getState().folder.tasks.map((task) => task.kind)
  const kind = naming.kind ?? suggestedKind(naming.title, others)
  const task = taskOfStep(material, {
    ...{ ...naming, title: naming.title.trim(), kind },
    inputForm: byFields ? called?.inputForm : undefined,
  })
  const read = readCustomTask(task, taskSpecsByKind)
  const fault = 'fault' in read ? read.fault : null
  const change = (changes: Partial<TaskNaming>): void => {
    setNaming({ ...naming, ...changes })
    setTaken(null)
  }
  const send = async (replace: boolean): Promise<void> => {
    const outcome = await saveTask(designer, { step, material, task, replace, becomes })
    if (outcome === 'saved') onClose()
    else setTaken(kind)
  }
  const sending = useSending(
    () => send(false),
    () => undefined,
  )
  return (
    <form
      className={styles['body']}
      onSubmit={(event) => {
        event.preventDefault()
        if (fault === null && taken === null) void sending.send()
      }}
    >
      <p>{words.lead}</p>
      <div className={own['columns']}>
        <div className={own['column']}>
          <TaskNames
            naming={naming}
            kind={kind}
            isTaken={others.includes(kind)}
            fault={fault}
            onChange={change}
          />
          {called !== null && (
            <Tick isOn={byFields} testId="task-by-fields" onChange={setByFields}>
              {fill(words.byFields, { title: called.title })}
            </Tick>
          )}
          <OpenFields material={material} task={task} onChange={(open) => change({ open })} />
        </div>
        <div className={own['column']}>
          <TaskLooks naming={naming} onChange={change} />
          <TaskPreview task={task} base={material.base} />
        </div>
      </div>
      <Tick isOn={becomes} testId="task-becomes" onChange={setBecomes}>
        {words.becomes}
      </Tick>
      {taken !== null && <Taken kind={taken} onReplace={() => send(true)} onOther={() => setTaken(null)} />}
      <SendFooter
        sending={sending}
        label={words.save}
        icon={Stamp}
        testId="task-save"
        isDisabled={fault !== null || taken !== null}
        onClose={onClose}
      />
    </form>
  )
}

function Tick(props: {
  readonly isOn: boolean
  readonly testId: string
  readonly children: string
  readonly onChange: (isOn: boolean) => void
}) {
  return (
    <label className={styles['ticked']}>
      <input
        type="checkbox"
        checked={props.isOn}
        data-testid={props.testId}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.children}
    </label>
  )
}

/** Null until it is known, and where nothing is called. */
function useCalled({ called }: Made): Called {
  const [known, setKnown] = useState<Called>(null)
  useEffect(() => {
    let isGone = false
    void called().then((found) => {
      if (!isGone) setKnown(found)
    })
    return () => {
      isGone = true
    }
  }, [called])
  return known
}

function Taken(props: {
  readonly kind: string
  readonly onReplace: () => Promise<void>
  readonly onOther: () => void
}) {
  const replacing = useSending(props.onReplace, () => undefined)
  return (
    <div className={styles['taken']} role="alert" data-testid="task-taken">
      <p>{replacing.problem ?? fill(words.taken, { kind: props.kind })}</p>
      <Button isSmall onClick={props.onOther}>
        {words.otherName}
      </Button>
      <Button isSmall kind="danger" testId="task-replace" onClick={() => void replacing.send()}>
        {words.replace}
      </Button>
    </div>
  )
}
