/** One command with its keys: pressed, it waits for new ones; what is taken is told before it is given. */

import { RotateCcw, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { KeyMap } from '../../../commands/key-map.ts'
import {
  bindAsUsual,
  chordOfPress,
  chordsOf,
  isRebound,
  rebind,
  rivalsOf,
  unbind,
} from '../../../commands/key-map.ts'
import { chordWords } from '../../../commands/keys.ts'
import type { AppCommand } from '../../../commands/registry.ts'
import { appCommands } from '../../../commands/registry.ts'
import { keys as words } from '../../../text/canvas-words.ts'
import { fill } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isMac } from '../../../ui/platform.ts'
import styles from './Keys.module.css'

type Asking =
  | { readonly kind: 'no' }
  | { readonly kind: 'listening'; readonly isRefused: boolean }
  | { readonly kind: 'taken'; readonly chord: string; readonly rival: string }

const notAsking: Asking = { kind: 'no' }

export function KeyRow(props: {
  readonly command: AppCommand
  readonly keyMap: KeyMap
  readonly onChange: (map: KeyMap) => void
}) {
  const { command, keyMap, onChange } = props
  const { id, title } = command
  const [asking, setAsking] = useState(notAsking)
  const [chord] = chordsOf(keyMap, command)
  const give = (wanted: string): void => {
    onChange(rebind(keyMap, appCommands, { id, chord: wanted }))
    setAsking(notAsking)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (asking.kind !== 'listening' || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return setAsking(notAsking)
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event
    const wanted = chordOfPress({ key, code, ctrlKey, metaKey, shiftKey, altKey }, isMac)
    if (wanted === null) return setAsking({ kind: 'listening', isRefused: true })
    const [rival] = rivalsOf(keyMap, appCommands, { chord: wanted, except: id })
    if (rival === undefined) give(wanted)
    else setAsking({ kind: 'taken', chord: wanted, rival: rival.title })
  }
  const isChanged = isRebound(keyMap, id)
  return (
    <li className={styles['row']} data-testid={`keys-${id}`} data-changed={isChanged || undefined}>
      <span>{title}</span>
      {asking.kind === 'no' && isChanged && (
        <IconButton
          icon={RotateCcw}
          label={fill(words.usualOf, { command: title })}
          onClick={() => onChange(bindAsUsual(keyMap, appCommands, id))}
        />
      )}
      {asking.kind === 'listening' && chord !== undefined && (
        <IconButton
          icon={X}
          label={fill(words.removeOf, { command: title })}
          onClick={() => {
            onChange(unbind(keyMap, id))
            setAsking(notAsking)
          }}
        />
      )}
      <button
        type="button"
        className={styles['keys']}
        data-listening={asking.kind === 'listening' || undefined}
        aria-label={`${fill(words.change, { command: title })}${chord === undefined ? '' : `: ${chordWords(chord, isMac)}`}`}
        onClick={() => setAsking({ kind: 'listening', isRefused: false })}
        onBlur={({ currentTarget, relatedTarget }) => {
          // The way to the cross beside it is no way out.
          if (relatedTarget instanceof Node && currentTarget.parentElement?.contains(relatedTarget)) return
          setAsking((now) => (now.kind === 'listening' ? notAsking : now))
        }}
        onKeyDown={onKeyDown}
      >
        {asking.kind === 'listening' ? words.press : chord === undefined ? '—' : chordWords(chord, isMac)}
      </button>
      {asking.kind === 'listening' && asking.isRefused && (
        <p role="alert" className={styles['taken']}>
          {words.notPossible}
        </p>
      )}
      {asking.kind === 'taken' && (
        <p role="alert" className={styles['taken']}>
          <span>{fill(words.taken, { keys: chordWords(asking.chord, isMac), rival: asking.rival })}</span>
          <Button isSmall onClick={() => give(asking.chord)}>
            {words.give}
          </Button>
          <Button isSmall kind="quiet" onClick={() => setAsking(notAsking)}>
            {words.keep}
          </Button>
        </p>
      )}
    </li>
  )
}
