/** The form of a workflow's input in a dialog. The last answers are remembered for each workflow. */

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { SettingsForm } from '../../forms/SettingsForm.tsx'
import { fixedValues, withField } from '../../forms/schema-fields.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import { inputDefaults } from '../../state/run-input.ts'
import type { Memory } from '../../state/services.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './dialogs.module.css'

const noProblems = { nodeId: null, problems: [], isReadOnly: false, onLeave: () => undefined }

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
  const [value, setValue] = useState<JsonObject>(() => remembered(designer.memory, document.id))
  const [problem, setProblem] = useState<string | null>(null)
  const send = async (): Promise<void> => {
    try {
      await onSend({ ...inputDefaults(schema), ...value })
      designer.memory.write(keyOf(document.id), JSON.stringify(value))
      onClose()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
    }
  }
  return (
    <form
      className={styles['body']}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <FormProvider value={noProblems}>
        <SettingsForm
          schema={schema}
          value={value}
          onChange={(key, next) => setValue(withField(value, key, next))}
        />
      </FormProvider>
      {props.children}
      {problem !== null && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" icon={action.icon} testId="start-button">
          {action.label}
        </Button>
      </footer>
    </form>
  )
}

const keyOf = (id: string): string => `sagasmith.input.${id}`

function remembered(memory: Memory, id: string): JsonObject {
  try {
    const value: unknown = JSON.parse(memory.read(keyOf(id)) ?? '{}')
    return isJsonObject(value) ? value : {}
  } catch {
    // Not ours: start with an empty form.
    return {}
  }
}
