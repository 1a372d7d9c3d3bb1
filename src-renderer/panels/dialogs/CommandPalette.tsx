/** The command palette: any command by its name, and what a pasted id or line of a log names. */

import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import { boundCommands } from '../../commands/key-map.ts'
import { chordWords } from '../../commands/keys.ts'
import { placeCommands } from '../../commands/place-commands.ts'
import type { AppCommand } from '../../commands/registry.ts'
import { appCommands } from '../../commands/registry.ts'
import { runViewCommands } from '../../commands/run-view-commands.ts'
import { secretCommands } from '../../commands/secret-commands.ts'
import { siteCommands } from '../../commands/site-commands.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { Modal } from '../../ui/Modal.tsx'
import { isMac } from '../../ui/platform.ts'
import styles from './dialogs.module.css'

export function CommandPalette() {
  const designer = useDesigner()
  const [query, setQuery] = useState('')
  const [index, setIndex] = useState(0)
  const words = query.toLowerCase().split(/\s+/)
  const keyMap = useView((state) => state.keyMap)
  const named = [
    ...boundCommands(keyMap, appCommands),
    ...siteCommands(designer),
    ...secretCommands(designer),
    ...runViewCommands(designer),
  ].filter(
    (command) =>
      command.id !== 'view.commandPalette' &&
      command.isEnabled(designer) &&
      words.every((word) => `${command.title} ${command.group}`.toLowerCase().includes(word)),
  )
  const found = [...placeCommands(query), ...named]
  const current = Math.min(index, Math.max(0, found.length - 1))
  const close = (): void => designer.view.getState().setDialog(null)
  const choose = (command: AppCommand | undefined): void => {
    close()
    if (command !== undefined) designer.ambient.onFrame(() => command.run(designer))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') choose(found[current])
    else if (event.key === 'ArrowDown') setIndex(Math.min(current + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setIndex(Math.max(current - 1, 0))
    else return
    event.preventDefault()
  }
  return (
    <Modal title="Commands" onClose={close} testId="command-palette" width={520}>
      <div className={styles['palette']}>
        <input
          className={controls['field']}
          aria-label="Search commands"
          placeholder="What shall happen? Or paste an id, or a line of a log."
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its options are rich
          role="listbox"
          aria-label="Commands"
        >
          {found.map((command, at) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
            <div
              key={command.id}
              tabIndex={-1}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a choice with a key and a group
              role="option"
              aria-selected={at === current}
              onPointerMove={() => setIndex(at)}
              onClick={() => choose(command)}
            >
              <span>{command.title}</span>
              <small>{command.group}</small>
              {command.keys[0] !== undefined && <kbd>{chordWords(command.keys[0], isMac)}</kbd>}
            </div>
          ))}
          {found.length === 0 && <p className={styles['none']}>{empty.search}</p>}
        </div>
      </div>
    </Modal>
  )
}
