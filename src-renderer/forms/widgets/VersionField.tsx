/** A published version of the workflow that is named beside it, or whichever is newest. */

import { nodeId as toNodeId, workflowId } from '../../../src-engine/model/ids.ts'
import { pageSizeMax } from '../../../src-engine/model/limits.ts'
import { useDocument } from '../../state/context.ts'
import { useShownDocument } from '../../state/selectors.ts'
import { workflows } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { momentWords } from '../../ui/time-words.ts'
import { useAnswer } from '../../ui/use-answer.ts'
import { useForm } from '../form-context.ts'
import { knownWorkflows, referencedWorkflow } from '../referenced-workflow.ts'
import { isExpressionText } from '../schema-fields.ts'
import { TemplateField } from './TemplateField.tsx'
import type { WidgetProps } from './widget-props.ts'

export function VersionField(props: WidgetProps) {
  const { value, path, id, isInvalid, onChange } = props
  const { isReadOnly, nodeId, onLeave } = useForm()
  const file = useDocument((state) => state.path)
  const named = useShownDocument(({ nodes }) =>
    nodeId === null ? undefined : nodes[toNodeId(nodeId)]?.parameters?.['workflow'],
  )
  const reference = typeof named === 'string' ? named : ''
  const entries = useAnswer('library.list', {})
  const chosen = referencedWorkflow(knownWorkflows(entries ?? []), reference, file)
  const versions = useAnswer('workflows.versions', {
    workflowId: workflowId(chosen?.id ?? (reference === '' ? 'none' : reference)),
    limit: pageSizeMax,
  })
  const hash = typeof value === 'string' ? value : ''
  if (isExpressionText(value)) return <TemplateField {...props} />
  const list = versions?.versions ?? []
  return (
    <select
      id={id}
      className={controls['field']}
      disabled={isReadOnly}
      aria-invalid={isInvalid}
      data-testid="version-choice"
      value={hash}
      onChange={(event) => {
        const next = event.currentTarget.value
        onChange(next === '' ? undefined : next, path)
        onLeave()
      }}
    >
      <option value="">{workflows.newest}</option>
      {list.map((version) => (
        <option key={version.hash} value={version.hash}>
          {`${momentWords(version.publishedAt)} · ${version.title} · ${shortHash(version.hash)}`}
        </option>
      ))}
      {hash !== '' && list.every((version) => version.hash !== hash) && (
        <option value={hash}>{`${shortHash(hash)} ${workflows.unknownVersion}`}</option>
      )}
    </select>
  )
}

/** Enough of a hash to tell versions apart. */
const shortHash = (hash: string): string => hash.replace(/^[a-z0-9]+:/, '').slice(0, 10)
