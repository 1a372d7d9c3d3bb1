/** Asks for the JSON that a run is to start with, beginning with what it had. */

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { JsonEditor } from '../../forms/JsonEditor.tsx'
import { prettyJson, readJsonText } from '../../forms/json-text.ts'
import { inputs } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { usePayload } from '../inspector/use-payload.ts'
import styles from './dialogs.module.css'
import { SendFooter } from './SendFooter.tsx'
import { useSending } from './use-sending.ts'

export interface InputDialogProps {
  readonly title: string
  readonly lead: string
  readonly action: { readonly label: string; readonly icon: LucideIcon }
  /** What it starts with; null for none. */
  readonly payload: Payload | null
  /** Null when the person left the input as it was. Refusals are shown, and the dialog stays. */
  readonly onSend: (input: { readonly value: JsonValue } | null) => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}

export function InputDialog(props: InputDialogProps) {
  const { title, lead, action, payload, onSend, onClose } = props
  const { json } = usePayload(payload, true)
  const before = payload === null ? 'null' : json === null ? null : prettyJson(json)
  const [edited, setEdited] = useState<string | null>(null)
  const text = edited ?? before
  const read = text === null ? null : readJsonText(text)
  const value = read?.kind === 'fault' ? null : read
  const sending = useSending(
    () => (value === null ? Promise.resolve() : onSend(text === before ? null : { value: value.value })),
    onClose,
  )
  const send = (): void => {
    if (value !== null) void sending.send()
  }
  return (
    <Modal title={title} onClose={onClose} testId="input-dialog" width={620}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <p>{lead}</p>
        {text === null ? (
          <p>{inputs.loading}</p>
        ) : (
          <JsonEditor label="Input" text={text} onChange={setEdited} />
        )}
        {props.children}
        <SendFooter
          sending={sending}
          label={action.label}
          icon={action.icon}
          testId="input-send"
          isDisabled={value === null}
          isFirst
          onClose={onClose}
        >
          {edited !== null && edited !== before && (
            <Button kind="quiet" onClick={() => setEdited(null)}>
              {inputs.asItWas}
            </Button>
          )}
        </SendFooter>
      </form>
    </Modal>
  )
}
