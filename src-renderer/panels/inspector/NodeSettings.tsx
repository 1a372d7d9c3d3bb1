/** The settings that every node has. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { attemptTimeoutMsDefault } from '../../../src-engine/model/limits.ts'
import type { NodeChanges } from '../../commands/change-node.ts'
import { changeNode } from '../../commands/change-node.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { policySentence as words } from '../../text/sentence-words.ts'
import styles from './Inspector.module.css'
import { policySentences } from './policy-sentence.ts'
import { SafetySentences } from './SafetySentences.tsx'
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
  return (
    <div className={styles['section']}>
      <section className={styles['comesTo']} aria-label={words.title} data-testid="policy-sentence">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <SafetySentences id={id} document={document} />
      </section>
      <FormProvider value={{ ...form, nodeId: null, expressionsOf: id }}>
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
