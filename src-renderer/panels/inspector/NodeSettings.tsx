/** The settings that every node has. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { learnedSchema } from '../../../src-engine/model/learned-schema.ts'
import { attemptTimeoutMsDefault } from '../../../src-engine/model/limits.ts'
import type { WorkflowNode } from '../../../src-engine/model/workflow.ts'
import type { NodeChanges } from '../../commands/change-node.ts'
import { changeNode } from '../../commands/change-node.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import type { FormContext } from '../../forms/form-context.ts'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import { useDesigner } from '../../state/context.ts'
import type { Designer } from '../../state/designer.ts'
import { shownModel } from '../../state/runs-store.ts'
import { useNodeRun, useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { learning } from '../../text/result-words.ts'
import { policySentence as words } from '../../text/sentence-words.ts'
import styles from './Inspector.module.css'
import { policySentences } from './policy-sentence.ts'
import { SafetySentences } from './SafetySentences.tsx'
import { seenOutputs } from './seen-outputs.ts'
import { settingSummaries } from './setting-summaries.ts'
import { settingsSchema } from './settings-schema.ts'
import { useEngineFacts } from './use-engine-facts.ts'
import { useNodeForm } from './use-node-form.ts'
import { usualPoolName, withUsual } from './usual-settings.ts'

export function NodeSettings({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const document = useShownDocument()
  const { settings } = document
  const node = document.nodes[id]
  const engine = useEngineFacts()
  const form = useNodeForm(id, useReadOnly())
  const output = useNodeRun(id)?.invocation?.output ?? null
  if (node === undefined) return null
  const spec = designer.specs.get(node.kind)
  // A node is JSON data; its settings are the fields beside its parameters.
  const value = node as unknown as JsonObject
  const schema = withUsual(settingsSchema, { node, spec, settings, engine })
  const sentences = policySentences({
    id,
    node,
    document,
    spec,
    attemptMs: attemptTimeoutMsDefault,
    pool: usualPoolName(node, engine),
  })
  const change = (key: string, next: JsonValue | undefined): void => {
    const isEmpty =
      next === undefined || next === '' || (isJsonObject(next) && Object.keys(next).length === 0)
    // The form's schema keeps each field to the type that the node has for it.
    const changes = { [key]: isEmpty ? null : next } as NodeChanges
    designer.document.getState().edit(changeNode(id, changes))
  }
  const offers = offersOf(designer, { id, node, isGiven: output?.kind === 'inline', change })
  return (
    <div className={styles['section']}>
      <section className={styles['comesTo']} aria-label={words.title} data-testid="policy-sentence">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <SafetySentences id={id} document={document} />
      </section>
      <FormProvider value={{ ...form, nodeId: null, expressionsOf: id, offers }}>
        <SettingsForm
          schema={schema}
          value={value}
          summaries={settingSummaries(node, schema)}
          onChange={change}
        />
      </FormProvider>
    </div>
  )
}

/** A schema of what the step gave in the shown run; what is declared already stays as it is. */
function offersOf(
  designer: Designer,
  of: {
    readonly id: NodeId
    readonly node: WorkflowNode
    readonly isGiven: boolean
    readonly change: (key: string, next: JsonValue | undefined) => void
  },
): NonNullable<FormContext['offers']> {
  const { id, node, isGiven, change } = of
  if (!isGiven || node.outputSchema !== undefined) return {}
  const take = (): void => {
    const { current } = designer.runs.getState()
    if (current === null) return
    change('outputSchema', learnedSchema(seenOutputs(shownModel(current).replay.invocations.values(), id)))
  }
  return { outputSchema: { ...learning, take } }
}
