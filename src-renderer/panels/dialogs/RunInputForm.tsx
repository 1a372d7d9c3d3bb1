/** The form of a workflow's input in a dialog. The last answers are remembered for each workflow. */

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import { fixedValues, withField } from '../../forms/schema-fields.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import { lastInputs, rememberInput } from '../../state/last-inputs.ts'
import { inputDefaults, inputProblems } from '../../state/run-input.ts'
import styles from './dialogs.module.css'
import { PresetBar } from './PresetBar.tsx'
import { SendFooter } from './SendFooter.tsx'
import { useSending } from './use-sending.ts'

const plainForm = { nodeId: null, isReadOnly: false, onLeave: () => undefined }

export function RunInputForm(props: {
  readonly action: { readonly label: string; readonly icon: LucideIcon }
  /** Throws what the engine refuses: it is told here. */
  readonly onSend: (input: JsonObject) => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}) {
  const { action, onSend, onClose } = props
  const designer = useDesigner()
  const document = useDocument((state) => state.history.document)
  const schema = fixedValues(document.input ?? {})
  const [last] = useState(() => lastInputs(designer.memory, document.id))
  const [value, setValue] = useState<JsonObject>(last[0]?.value ?? {})
  const sending = useSending(async () => {
    await onSend({ ...inputDefaults(schema), ...value })
    rememberInput(designer.memory, document.id, { at: designer.ambient.now(), value })
  }, onClose)
  const change = (next: JsonObject): void => {
    setValue(next)
    sending.forget()
  }
  return (
    <form
      className={styles['body']}
      onSubmit={(event) => {
        event.preventDefault()
        void sending.send()
      }}
    >
      <PresetBar value={value} last={last} onChoose={change} />
      <FormProvider value={{ ...plainForm, problems: inputProblems(sending.refused) }}>
        <SettingsForm
          schema={schema}
          value={value}
          onChange={(key, next) => change(withField(value, key, next))}
        />
      </FormProvider>
      {props.children}
      <SendFooter
        sending={sending}
        label={action.label}
        icon={action.icon}
        testId="start-button"
        onClose={onClose}
      />
    </form>
  )
}
