/** Every command with its keys, made from the registry; a press on the keys changes them. */

import { useState } from 'react'
import type { KeyMap } from '../../../commands/key-map.ts'
import { chordsOf, usualKeys } from '../../../commands/key-map.ts'
import { chordWords } from '../../../commands/keys.ts'
import type { AppCommand } from '../../../commands/registry.ts'
import { appCommands } from '../../../commands/registry.ts'
import { useDesigner, useView } from '../../../state/context.ts'
import { keys as words } from '../../../text/canvas-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { Modal } from '../../../ui/Modal.tsx'
import { isMac } from '../../../ui/platform.ts'
import { KeyRow } from './KeyRow.tsx'
import styles from './Keys.module.css'

/** Keys of the canvas that are no commands. */
const moves: readonly (readonly [string, string])[] = [
  ['Arrow keys', 'Go to the next node'],
  ['Ctrl+Arrow keys', 'Move the selection, with Shift further'],
  ['Enter', 'Open the inspector'],
  ['Escape', 'Select nothing'],
  ['Space-drag', 'Move the view'],
  ['Shift-drag', 'Select in a box'],
  ['Alt-drag', 'Drag a copy'],
  ['Shift+F10', 'Menu of what is selected'],
]

export function CheatSheet() {
  const designer = useDesigner()
  const keyMap = useView((state) => state.keyMap)
  const [query, setQuery] = useState('')
  const found = appCommands.filter((command) => fits(command, keyMap, query))
  const groups = Map.groupBy(found, (command) => command.group)
  const set = (next: KeyMap): void => designer.view.getState().setKeyMap(next)
  return (
    <Modal
      title={words.title}
      onClose={() => designer.view.getState().setDialog(null)}
      width={860}
      testId="cheat-sheet"
    >
      <div className={styles['bar']}>
        <input
          className={controls['field']}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <label className={styles['letters']} title={words.lettersHint}>
          <button
            type="button"
            role="switch"
            className={controls['switch']}
            aria-checked={keyMap.letters}
            aria-label={words.letters}
            data-testid="letters-switch"
            onClick={() => set({ ...keyMap, letters: !keyMap.letters })}
          />
          <span aria-hidden>{words.letters}</span>
        </label>
        <Button
          isSmall
          kind="quiet"
          testId="all-usual"
          disabled={keyMap === usualKeys}
          onClick={() => set(usualKeys)}
        >
          {words.allUsual}
        </Button>
      </div>
      <div className={styles['sheet']}>
        {[...groups].map(([group, commands]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <ul>
              {commands.map((command) => (
                <KeyRow key={command.id} command={command} keyMap={keyMap} onChange={set} />
              ))}
            </ul>
          </section>
        ))}
        {query === '' && <Moves />}
        {groups.size === 0 && <p className={styles['none']}>{words.nothing}</p>}
      </div>
    </Modal>
  )
}

function Moves() {
  return (
    <section aria-label={words.onCanvas}>
      <h3>{words.onCanvas}</h3>
      <ul>
        {moves.map(([chord, what]) => (
          <li key={chord} className={styles['row']}>
            <span>{what}</span>
            <kbd>{chord}</kbd>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Without a search, the commands that have keys or could be given some; with one, what it says. */
function fits(command: AppCommand, map: KeyMap, query: string): boolean {
  const chords = chordsOf(map, command).map((chord) => chordWords(chord, isMac).toLowerCase())
  const text = `${command.title} ${command.group}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || chords.some((chord) => chord.includes(word)))
}
