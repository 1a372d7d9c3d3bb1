/** The forms of the ways in which a node is undone. */

import { useId } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import type { TaskSpec } from '../../../src-engine/model/task-spec.ts'
import { notedVersion } from '../../../src-engine/model/task-versions.ts'
import { whyNotUndoing } from '../../../src-engine/model/undoing-kinds.ts'
import type { Compensation } from '../../../src-engine/model/workflow.ts'
import { useForm } from '../../forms/form-context.ts'
import { ObjectForm } from '../../forms/SchemaForm.tsx'
import { refusedUndoersOf, undoersOf } from '../../rules/compensation.ts'
import { useDesigner } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { categoryTitles, fill } from '../../text/messages.ts'
import { undoRefusals, undo as words } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'

export interface UndoWayProps {
  readonly undo: Compensation
  readonly onChange: (undo: Compensation, field: string) => void
}

/** Kinds that only say where a run goes on, or wait for somebody, take nothing back. */
const isUndoing = ({ kind, execution }: TaskSpec): boolean =>
  execution === 'runner' && whyNotUndoing(kind) === null

export function UndoByTask({ undo, onChange }: UndoWayProps) {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const field = useId()
  const { kind = '', parameters = {} } = undo.task ?? {}
  const spec = designer.specs.get(kind)
  const byCategory = Map.groupBy([...designer.specs.values()].filter(isUndoing), ({ category }) => category)
  const choose = (wanted: string): void => {
    const chosen = designer.specs.get(wanted)
    const parameters = structuredClone<JsonObject>(chosen?.defaults ?? {})
    onChange({ ...undo, task: { kind: wanted, parameters, ...notedVersion(chosen) } }, '')
  }
  return (
    <>
      <div className={styles['field']}>
        <label htmlFor={field}>{words.kind}</label>
        <select
          id={field}
          className={controls['field']}
          data-testid="undo-kind"
          disabled={isReadOnly}
          value={kind}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {(spec === undefined || !isUndoing(spec)) && (
            <option value={kind}>{kind === '' ? words.chooseKind : (spec?.title ?? kind)}</option>
          )}
          {[...byCategory].map(([category, specs]) => (
            <optgroup key={category} label={categoryTitles[category]}>
              {specs.map((one) => (
                <option key={one.kind} value={one.kind}>
                  {one.title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <WrongKind kind={kind} />
        <p>{words.reads}</p>
      </div>
      {spec !== undefined && (
        <ObjectForm
          schema={inputJsonSchema(spec.parameters)}
          value={parameters}
          path="compensation.task.parameters"
          onChange={(next, touched) =>
            onChange({ ...undo, task: { ...undo.task, kind, parameters: next } }, touched)
          }
        />
      )}
    </>
  )
}

export function UndoByNode({ id, undo, onChange }: UndoWayProps & { readonly id: NodeId }) {
  const designer = useDesigner()
  const { isReadOnly } = useForm()
  const field = useId()
  const document = useShownDocument()
  const by = undo.node ?? nodeId('')
  const candidates = undoersOf(document, id)
  const isThere = document.nodes[by] !== undefined
  const titleOf = (one: NodeId): string => {
    const { title, kind = '' } = document.nodes[one] ?? {}
    return title ?? designer.specs.get(kind)?.title ?? one
  }
  const show = (): void => {
    designer.view.getState().select({ nodes: [by] })
    designer.canvas.current?.focusNode(by)
  }
  return (
    <div className={styles['field']}>
      <label htmlFor={field}>{words.node}</label>
      <select
        id={field}
        className={controls['field']}
        data-testid="undo-node"
        disabled={isReadOnly || candidates.length === 0}
        value={by}
        onChange={(event) => onChange({ ...undo, node: nodeId(event.currentTarget.value) }, '')}
      >
        {!isThere && <option value={by}>{words.chooseNode}</option>}
        {candidates.map((one) => (
          <option key={one} value={one}>
            {titleOf(one)}
          </option>
        ))}
      </select>
      <WrongKind kind={document.nodes[by]?.kind ?? ''} />
      {candidates.length === 0 && <p>{words.noNodes}</p>}
      {refusedUndoersOf(document, id)
        .filter((one) => one.id !== by)
        .map((one) => (
          <p key={one.id} data-testid="undo-refused">
            {fill(words.refusedNode, { title: `“${titleOf(one.id)}”`, why: one.message })}
          </p>
        ))}
      {isThere && (
        <Button isSmall kind="quiet" onClick={show}>
          {words.showNode}
        </Button>
      )}
    </div>
  )
}

/** Why a kind that a file names can't undo anything; nothing for one that can. */
function WrongKind({ kind }: { readonly kind: string }) {
  const why = whyNotUndoing(kind)
  return why === null ? null : (
    <p role="alert" data-testid="undo-wrong-kind">
      {undoRefusals[why]}
    </p>
  )
}

export function UndoImpossible({ undo, onChange }: UndoWayProps) {
  const { isReadOnly, onLeave } = useForm()
  const field = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={field}>{words.reason}</label>
      <textarea
        id={field}
        className={controls['field']}
        data-testid="undo-reason"
        readOnly={isReadOnly}
        rows={2}
        placeholder={words.reasonHint}
        aria-invalid={undo.impossible === ''}
        value={undo.impossible ?? ''}
        onChange={(event) => onChange({ impossible: event.currentTarget.value }, 'impossible')}
        onBlur={onLeave}
      />
    </div>
  )
}
