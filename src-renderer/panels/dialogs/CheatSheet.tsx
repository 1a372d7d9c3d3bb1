/** Every key, made from the command registry. */

import { chordWords } from '../../commands/keys.ts'
import { appCommands } from '../../commands/registry.ts'
import { useDesigner } from '../../state/context.ts'
import { Modal } from '../../ui/Modal.tsx'
import { isMac } from '../../ui/platform.ts'
import styles from './dialogs.module.css'

/** Keys of the canvas that are no commands. */
const moves: readonly (readonly [string, string])[] = [
  ['Arrow keys', 'Go to the next node'],
  ['Ctrl+Arrow keys', 'Move the selection, with Shift further'],
  ['Enter', 'Open the inspector'],
  ['Escape', 'Select nothing'],
]

export function CheatSheet() {
  const designer = useDesigner()
  const groups = Map.groupBy(
    appCommands.filter((command) => command.keys.length > 0),
    (command) => command.group,
  )
  return (
    <Modal
      title="Keyboard shortcuts"
      onClose={() => designer.view.getState().setDialog(null)}
      width={720}
      testId="cheat-sheet"
    >
      <div className={styles['sheet']}>
        {[...groups].map(([group, commands]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {commands.map((command) => (
                <div key={command.id}>
                  <dt>{command.title}</dt>
                  <dd>
                    <kbd>{chordWords(command.keys[0] ?? '', isMac)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section aria-label="On the canvas">
          <h3>On the canvas</h3>
          <dl>
            {moves.map(([keys, what]) => (
              <div key={keys}>
                <dt>{what}</dt>
                <dd>
                  <kbd>{keys}</kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Modal>
  )
}
