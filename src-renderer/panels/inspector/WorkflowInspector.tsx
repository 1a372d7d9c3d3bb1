/** The workflow as a whole: title, description, input form, settings, what it may reach. */

import { Copy } from 'lucide-react'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { WorkflowChanges } from '../../commands/change-workflow.ts'
import { changeWorkflow } from '../../commands/change-workflow.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import { useDesigner, useDocument } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { InputFields } from './InputFields.tsx'
import styles from './Inspector.module.css'
import { workflowSummaries } from './setting-summaries.ts'
import { TriggerList } from './triggers/TriggerList.tsx'
import { workflowSettingsSchema } from './workflow-settings-schema.ts'

const schema: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string', title: 'Title', expressions: false },
    description: {
      type: 'string',
      widget: 'multiline',
      title: 'Description',
      placeholder: 'What it is for',
      expressions: false,
    },
  },
}

export function WorkflowInspector() {
  const designer = useDesigner()
  const document = useShownDocument()
  const isReadOnly = useReadOnly()
  const problems = useDocument((state) => state.problems)
  const { edit, endGesture } = designer.document.getState()
  const form = {
    nodeId: null,
    isReadOnly,
    problems: problems.filter((problem) => problem.nodeId === null),
    onLeave: endGesture,
  }
  const change = (changes: WorkflowChanges): void => edit(changeWorkflow(changes))
  return (
    <div className={styles['scroll']}>
      <div className={styles['section']} data-testid="workflow-inspector">
        <h2>Workflow</h2>
        {/* What sub-workflows and the command line name it by. */}
        <div className={styles['idRow']}>
          <span>Id</span>
          <code data-testid="workflow-id">{document.id}</code>
          <IconButton
            icon={Copy}
            label="Copy the id"
            onClick={() => void navigator.clipboard?.writeText(document.id)}
          />
        </div>
        <FormProvider value={form}>
          <SettingsForm
            schema={schema}
            value={{ title: document.title, description: document.description ?? '' }}
            onChange={(key, value) =>
              change({
                [key]: value === undefined || value === '' ? (key === 'title' ? '' : null) : value,
              })
            }
          />
          <InputFields
            input={document.input ?? null}
            isReadOnly={isReadOnly}
            onChange={(input) => change({ input })}
            onLeave={endGesture}
          />
          <TriggerList />
          <SettingsForm
            schema={workflowSettingsSchema}
            value={valueOf(document)}
            summaries={workflowSummaries(document)}
            onChange={(key, value) =>
              change(key === 'hosts' ? withHosts(document, value) : withSetting(document, key, value))
            }
          />
        </FormProvider>
      </div>
    </div>
  )
}

function valueOf({ settings, capabilities }: WorkflowDocument): JsonObject {
  const hosts = capabilities?.hosts ?? []
  // Settings are JSON data.
  const own = (settings ?? {}) as JsonObject
  return hosts.length === 0 ? own : { ...own, hosts }
}

function withHosts(document: WorkflowDocument, value: unknown): WorkflowChanges {
  const { hosts: _before, ...rest } = document.capabilities ?? {}
  // The list field gives texts.
  const hosts = Array.isArray(value) ? (value as readonly string[]) : []
  const capabilities = hosts.length === 0 ? rest : { ...rest, hosts }
  return { capabilities: Object.keys(capabilities).length === 0 ? null : capabilities }
}

function withSetting(document: WorkflowDocument, key: string, value: JsonValue | undefined): WorkflowChanges {
  const settings: Record<string, unknown> = { ...document.settings }
  const isEmpty =
    value === undefined || value === '' || (isJsonObject(value) && Object.keys(value).length === 0)
  if (isEmpty) delete settings[key]
  else settings[key] = value
  // The schema above keeps each field to its type.
  return { settings: Object.keys(settings).length === 0 ? null : settings }
}
