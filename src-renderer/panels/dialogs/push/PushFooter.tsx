/** The end of a push: a cluster that is marked as production wants its name written first. */

import { CloudUpload, Play } from 'lucide-react'
import { useState } from 'react'
import type { Site } from '../../../state/site.ts'
import { fill } from '../../../text/messages.ts'
import { pushWords as words } from '../../../text/site-words.ts'
import { trustWords } from '../../../text/trust-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import styles from './Push.module.css'

/** The colour that marks what others depend on. */
const productionColour = 'red'

export function PushFooter(props: {
  readonly cluster: Site
  readonly isForRun: boolean
  /** Whether the version is there; null while nobody knows. */
  readonly isKnown: boolean | null
  readonly isSent: boolean
  readonly problem: string | null
  /** What the button says, where it isn't about pushing alone. */
  readonly label?: string
  /** Names of keys to sign with. */
  readonly keys: readonly string[]
  /** With the key to sign with; null for none. */
  readonly onPush: (key: string | null) => void
  readonly onClose: () => void
}) {
  const { cluster, isForRun, isKnown, isSent, problem, keys, label, onPush, onClose } = props
  const [typed, setTyped] = useState('')
  const [key, setKey] = useState('')
  const isMarked = cluster?.colour === productionColour && isKnown === false
  const isMeant = !isMarked || typed.trim() === cluster.name
  // What is there already only has to be run.
  const mayPush = isKnown !== null && (isForRun || !isKnown) && isMeant && !isSent
  return (
    <form
      className={styles['end']}
      onSubmit={(event) => {
        event.preventDefault()
        if (mayPush) onPush(key === '' ? null : key)
      }}
    >
      {isMarked && (
        <label className={styles['typed']}>
          {fill(words.typed, { name: cluster.name })}
          <input
            className={controls['field']}
            data-testid="push-name"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      {problem !== null && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      <footer>
        {isKnown === false && keys.length > 0 && <SignChoice keys={keys} value={key} onChange={setKey} />}
        <span className={styles['spring']} />
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          type="submit"
          kind="primary"
          icon={isForRun ? Play : CloudUpload}
          testId="push-confirm"
          disabled={!mayPush}
          {...(isMarked ? {} : { 'data-focus': true })}
        >
          {label ?? (isForRun ? (isKnown === true ? words.run : words.pushAndRun) : words.push)}
        </Button>
      </footer>
    </form>
  )
}

function SignChoice(props: {
  readonly keys: readonly string[]
  readonly value: string
  readonly onChange: (key: string) => void
}) {
  return (
    <label className={styles['sign']}>
      {trustWords.sign}
      <select
        className={controls['field']}
        data-testid="push-sign"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        <option value="">{trustWords.unsigned}</option>
        {props.keys.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
