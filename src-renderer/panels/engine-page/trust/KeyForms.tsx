/** Making a key to sign with, and trusting somebody else's. */

import { KeyRound, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { keyNamePattern, publicKeyPattern } from '../../../../src-engine/model/trust.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { trustWords as words } from '../../../text/trust-words.ts'
import own from '../../../trust/Trust.module.css'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'

export function NewKeyForm({ onDone }: { readonly onDone: () => void }) {
  const designer = useDesigner()
  const [name, setName] = useState('')
  const make = async (): Promise<void> => {
    const made = await attempt(designer, () => designer.connection.call('trust.createKey', { name }))
    if (made === null) return
    setName('')
    onDone()
  }
  return (
    <KeyForm onSubmit={() => void make()}>
      <NameField label={words.makeKey} value={name} testId="new-key-name" onChange={setName} />
      <Button type="submit" icon={KeyRound} testId="new-key-make" disabled={!keyNamePattern.test(name)}>
        {words.makeKey}
      </Button>
    </KeyForm>
  )
}

export function TrustKeyForm({ onDone }: { readonly onDone: () => void }) {
  const designer = useDesigner()
  const [name, setName] = useState('')
  const [key, setKey] = useState('')
  const isComplete = keyNamePattern.test(name) && publicKeyPattern.test(key.trim())
  const trust = async (): Promise<void> => {
    const input = { name, key: key.trim() }
    const done = await attempt(designer, () => designer.connection.call('trust.setKey', input))
    if (done === null) return
    setName('')
    setKey('')
    onDone()
  }
  return (
    <KeyForm onSubmit={() => void trust()}>
      <NameField label={words.trustKey} value={name} testId="trust-key-name" onChange={setName} />
      <input
        className={controls['field']}
        data-wide
        data-testid="trust-key-key"
        aria-label={words.publicKey}
        placeholder={words.publicKey}
        spellCheck={false}
        autoComplete="off"
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Button type="submit" icon={Plus} testId="trust-key-add" disabled={!isComplete}>
        {words.trustKey}
      </Button>
    </KeyForm>
  )
}

function KeyForm({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  return (
    <form
      className={own['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

function NameField(props: {
  readonly label: string
  readonly value: string
  readonly testId: string
  readonly onChange: (value: string) => void
}) {
  return (
    <input
      className={controls['field']}
      data-testid={props.testId}
      aria-label={`${props.label}: ${words.name}`}
      placeholder={words.name}
      spellCheck={false}
      autoComplete="off"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}
