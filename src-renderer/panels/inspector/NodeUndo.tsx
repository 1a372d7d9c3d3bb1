/** What undoes a node: nothing, a task of its own, another node; or why nothing can. */

import { Undo2 } from 'lucide-react'
import { useId } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { Compensation } from '../../../src-engine/model/workflow.ts'
import { setUndo } from '../../commands/compensation.ts'
import { scopeOfNode } from '../../commands/saga-scopes.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import type { UndoWay } from '../../rules/compensation.ts'
import { hasEffect, offeredUndo, undoWayOf } from '../../rules/compensation.ts'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { fill } from '../../text/messages.ts'
import { scopes, undo as words } from '../../text/saga-words.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'
import { StepVersion } from './StepVersion.tsx'
import { settingSummaries } from './setting-summaries.ts'
import type { UndoWayProps } from './UndoWays.tsx'
import { UndoByNode, UndoByTask, UndoImpossible } from './UndoWays.tsx'
import { undoAttemptsDefault, undoSettingsSchema } from './undo-schema.ts'
import { useNodeForm } from './use-node-form.ts'

const ways = Object.keys(words.ways) as readonly UndoWay[]

export function NodeUndo({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const node = useShownDocument((document) => document.nodes[id])
  const undone = useUndone(id)
  const isReadOnly = useReadOnly()
  const form = useNodeForm(id, isReadOnly)
  const field = useId()
  if (node === undefined) return null
  const { compensation } = node
  const way = undoWayOf(compensation)
  const change = (next: Compensation | null, touched: string): void =>
    designer.document.getState().edit(setUndo(id, next, touched))
  const offered = offeredUndo(node, designer.specs)
  const choose = (wanted: UndoWay): void => change(startOf(wanted, compensation, offered), '')
  if (undone.length > 0) {
    return (
      <div className={styles['section']}>
        <p className={styles['lead']}>{fill(words.undoes, { titles: undone.join(', ') })}</p>
      </div>
    )
  }
  const hint = way === 'none' && !hasEffect(node, designer.specs) ? words.hints.noEffect : words.hints[way]
  return (
    <div className={styles['section']} data-testid="undo-form">
      <p className={styles['lead']}>{words.lead}</p>
      <ScopeNote id={id} />
      <div className={styles['field']}>
        <label htmlFor={field}>{words.way}</label>
        <select
          id={field}
          className={controls['field']}
          data-testid="undo-way"
          disabled={isReadOnly}
          value={way}
          onChange={(event) => choose(event.currentTarget.value as UndoWay)}
        >
          {ways.map((one) => (
            <option key={one} value={one}>
              {words.ways[one]}
            </option>
          ))}
        </select>
        <p>{hint}</p>
      </div>
      {/* What it undoes is known only when it runs. */}
      <FormProvider value={{ ...form, isPreviewed: false }}>
        {way === 'task' && <StepVersion id={id} place="undo" />}
        {way === 'task' && <UndoByTask undo={compensation ?? {}} onChange={change} />}
        {way === 'node' && <UndoByNode id={id} undo={compensation ?? {}} onChange={change} />}
        {way === 'impossible' && <UndoImpossible undo={compensation ?? {}} onChange={change} />}
        {(way === 'task' || way === 'node') && <Settings undo={compensation ?? {}} onChange={change} />}
      </FormProvider>
    </div>
  )
}

/** The title of the group about where it runs, as of every step. */
const placeGroup = 'Where it runs'

/** How often and how long it is tried, what it is known by, and where it runs. */
function Settings({ undo, onChange }: UndoWayProps) {
  const { retry, timeout = {}, input, idempotencyKey, labels, env, pool, route } = undo
  const tried = { maxAttempts: undoAttemptsDefault, ...retry }
  const place = { ...(pool !== undefined && { pool }), ...(route !== undefined && { route }) }
  const {
    Retry = '',
    Timeouts = '',
    [placeGroup]: where = '',
  } = settingSummaries({ kind: '', retry: tried, timeout, ...place }, undoSettingsSchema)
  const hasKey = idempotencyKey !== undefined || labels !== undefined || env !== undefined
  return (
    <SettingsForm
      schema={undoSettingsSchema}
      path="compensation"
      // Policies are JSON data.
      value={undo as unknown as JsonObject}
      summaries={{
        Retry,
        Timeouts,
        [words.inputGroup]: input === undefined ? words.inputOriginal : words.inputOwn,
        [words.keyGroup]: hasKey ? words.keyOwn : words.keyUsual,
        [placeGroup]: Object.keys(place).length === 0 ? words.placeUsual : where,
      }}
      onChange={(key, value) => {
        const { [key as 'retry']: _before, ...rest } = undo
        const isEmpty =
          value === undefined || value === '' || (isJsonObject(value) && Object.keys(value).length === 0)
        // The schema keeps each field to the type that a policy has for it.
        onChange(isEmpty ? rest : { ...rest, [key]: value }, key)
      }}
    />
  )
}

/** The group that the node belongs to, and the way to it. */
function ScopeNote({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const scope = useShownDocument((document) => scopeOfNode(document, id))
  const title = useShownDocument((document) => document.sagaScopes?.[scope ?? '']?.title)
  if (scope === null) return null
  return (
    <div className={styles['note']} data-testid="undo-scope">
      <Undo2 size={14} aria-hidden />
      <p>{fill(scopes.partOf, { title: title ?? scopes.untitled })}</p>
      <Button isSmall kind="quiet" onClick={() => designer.view.getState().select({ scopes: [scope] })}>
        {scopes.edit}
      </Button>
    </div>
  )
}

/** The titles of the nodes that this one undoes. */
function useUndone(id: NodeId): readonly string[] {
  const designer = useDesigner()
  const titles = useShownDocument(({ nodes }) =>
    Object.entries(nodes)
      .filter(([, { compensation }]) => compensation?.node === id)
      .map(([, { title, kind }]) => `“${title ?? designer.specs.get(kind)?.title ?? kind}”`)
      .join('\n'),
  )
  return titles === '' ? [] : titles.split('\n')
}

/** What another way begins with; retries and times stay as they were said. */
function startOf(
  way: UndoWay,
  before: Compensation | undefined,
  offered: NonNullable<Compensation['task']>,
): Compensation | null {
  const { node: _node, task: _task, impossible: _impossible, ...kept } = before ?? {}
  switch (way) {
    case 'none':
      return null
    case 'impossible':
      return { impossible: '' }
    case 'task':
      return { ...kept, task: offered }
    default:
      return { ...kept, node: nodeId('') }
  }
}
