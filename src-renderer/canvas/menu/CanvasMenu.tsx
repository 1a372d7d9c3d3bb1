/** The menu of the canvas, about what the pointer or the keyboard is at. */

import { runCommand } from '../../commands/registry.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { menuTitle } from '../../text/canvas-words.ts'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { menuEntries } from './menu-entries.ts'

export function CanvasMenu() {
  const designer = useDesigner()
  const request = useView((state) => state.canvasMenu)
  if (request === null) return null
  const { screen, about } = request
  const close = (): void => {
    designer.view.getState().setCanvasMenu(null)
    const [node] = designer.view.getState().selection.nodes
    if (node === undefined) designer.canvas.current?.focus()
    else designer.canvas.current?.focusNode(node)
  }
  return (
    <CommandMenu
      key={`${screen.x},${screen.y},${about}`}
      entries={menuEntries[about]}
      at={screen}
      label={menuTitle[about]}
      testId="canvas-menu"
      onClose={close}
      // The keyboard is back on the canvas first: some commands take it on from there.
      onChoose={(id) => designer.ambient.onFrame(() => runCommand(designer, id))}
    />
  )
}
