/** One step that would follow its task: from which version to which, and each parameter before and after. */

import { LoaderCircle, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import type { TaskUse } from '../../../../src-engine/model/task-versions.ts'
import { versionChanges } from '../../../../src-engine/model/version-changes.ts'
import type { FieldChange } from '../../../canvas/diff/field-change.ts'
import { fieldChanges } from '../../../canvas/diff/field-change.ts'
import type { Followed } from '../../../commands/follow-versions.ts'
import { withFollowed } from '../../../commands/follow-versions.ts'
import { useDesigner, useDocument } from '../../../state/context.ts'
import type { Designer } from '../../../state/designer.ts'
import type { Foreseen } from '../../../state/task-versions.ts'
import { fill } from '../../../text/messages.ts'
import { taskWords as words } from '../../../text/task-words.ts'
import { CodeWords } from '../../../ui/CodeWords.tsx'
import { Field } from '../push/ChangeList.tsx'
import push from '../push/Push.module.css'
import own from './MigrateTasks.module.css'

interface Props {
  readonly use: TaskUse
  /** Null while its task is asked. */
  readonly foreseen: Foreseen | null
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

export function MigratedStep({ use, foreseen, isChosen, onChoose }: Props) {
  const title = useTitle(use)
  const isReady = foreseen?.kind === 'ready'
  const madeFor = use.madeFor ?? words.unknownVersion
  return (
    <li className={own['step']} data-testid={`migrate-${use.nodeId}-${use.place}`} data-came={foreseen?.kind}>
      <label>
        <input
          type="checkbox"
          checked={isChosen && (isReady || foreseen === null)}
          disabled={foreseen !== null && !isReady}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        <b>{title}</b>
        <code>{fill(words.versions, { madeFor, here: use.here })}</code>
      </label>
      {foreseen === null && (
        <p className={own['asking']}>
          <LoaderCircle size={13} aria-hidden /> {words.migrating}
        </p>
      )}
      {foreseen?.kind === 'ready' && <Changes foreseen={foreseen} />}
      {foreseen?.kind === 'failed' && <Wrong text={`${foreseen.message} ${foreseen.hint}`} />}
      {foreseen?.kind === 'backwards' && <Wrong text={words.backwards} />}
    </li>
  )
}

function Changes({ foreseen }: { readonly foreseen: Extract<Foreseen, { kind: 'ready' }> }) {
  const designer = useDesigner()
  const { followed, problems } = foreseen
  const fields = useMemo(() => parameterChanges(designer, followed), [designer, followed])
  return (
    <>
      {fields.length === 0 ? (
        <p className={own['same']}>{words.sameParameters}</p>
      ) : (
        <div className={push['changes']}>
          {fields.map((field) => (
            <Field key={field.path} field={field} />
          ))}
        </div>
      )}
      {problems.length > 0 && <Wrong text={fill(words.stillWrong, { problems: problems.join(' ') })} />}
    </>
  )
}

function Wrong({ text }: { readonly text: string }) {
  return (
    <p className={own['wrong']} role="alert">
      <TriangleAlert size={13} aria-hidden />{' '}
      <span>
        <CodeWords text={text} />
      </span>
    </p>
  )
}

/** The parameters that would be others, by their names in the step. */
function parameterChanges({ document, specs }: Designer, followed: Followed): readonly FieldChange[] {
  const whole = document.getState().history.document
  const { nodeId, place } = followed.use
  const node = whole.nodes[nodeId]
  if (node === undefined) return []
  // The step alone: the others needn't be gone through for each of them.
  const before = { ...whole, nodes: { [nodeId]: node }, edges: {} }
  const after = withFollowed(before, followed)
  const prefix = place === 'step' ? 'parameters.' : 'compensation.task.parameters.'
  return versionChanges(before, after, specs)
    .flatMap((change) => fieldChanges(change, { before, after }, specs))
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path, before: was, after: is }) => ({
      path: path.slice(prefix.length),
      before: was ?? words.notSet,
      after: is ?? words.notSet,
    }))
}

function useTitle({ nodeId, place, kind }: TaskUse): string {
  const designer = useDesigner()
  const node = useDocument(({ history }) => history.document.nodes[nodeId])
  const title = node?.title ?? designer.specs.get(node?.kind ?? kind)?.title ?? nodeId
  return place === 'step' ? title : fill(words.undoOf, { title })
}
