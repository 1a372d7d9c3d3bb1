/** The keyboard, the clipboard's own events and the native menu: all end in the command registry. */

import { useLayoutEffect } from 'react'
import type { TextEdit } from '../../src-engine/protocol/desktop-api.ts'
import { clipboardText, pasteText, tellNotPasted } from '../commands/app/edit-commands.ts'
import { commandForKey } from '../commands/dispatch-key.ts'
import { boundCommands } from '../commands/key-map.ts'
import { appCommands, runCommand } from '../commands/registry.ts'
import { removeElements } from '../commands/remove.ts'
import { useDesigner } from '../state/context.ts'
import type { Designer } from '../state/designer.ts'
import { isReadOnly } from '../state/selectors.ts'
import { isOnCanvas, isWriting } from './is-writing.ts'
import { isMac } from './platform.ts'

const textEdits: Readonly<Record<string, TextEdit>> = {
  'edit.cut': 'cut',
  'edit.copy': 'copy',
  'edit.paste': 'paste',
  'edit.delete': 'delete',
  'edit.selectAll': 'selectAll',
}
/** The browser's own copy, cut and paste events carry these; they need no permission. */
const clipboardCommands = ['edit.cut', 'edit.copy', 'edit.paste']

export function useKeys(): void {
  const designer = useDesigner()
  // With the first picture, not after it: whoever sees the app may type.
  useLayoutEffect(() => {
    const bound = createBound(designer)
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
      const place = { isWriting: isWriting(event.composedPath()[0] ?? null), isCanvas: isOnCanvas(), isMac }
      const command = commandForKey(bound(), event, place)
      if (command === null || clipboardCommands.includes(command.id)) return
      // A chord of ours never does what the browser would do with it, also when it may not run now.
      event.preventDefault()
      runCommand(designer, command.id)
    }
    const onCopy = (event: ClipboardEvent): void => takeCopy(designer, event)
    const onPaste = (event: ClipboardEvent): void => {
      if (isWriting(document.activeElement) || !isOnCanvas()) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (pasteText(designer, text)) event.preventDefault()
      else if (text !== '') tellNotPasted(designer)
    }
    window.addEventListener('keydown', onKeyDown)
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    // A field hands over what is written in it when it is left.
    const settle = (): void => {
      const active = document.activeElement
      if (active instanceof HTMLElement && isWriting(active)) active.blur()
    }
    designer.settle.add(settle)
    const stopMenu = designer.desktop?.onMenuCommand((id) => fromMenu(designer, id))
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
      designer.settle.delete(settle)
      stopMenu?.()
    }
  }, [designer])
}

/** The commands with their keys; made anew only when these were changed. */
function createBound(designer: Designer) {
  let known = designer.view.getState().keyMap
  let bound = boundCommands(known, appCommands)
  return () => {
    const { keyMap } = designer.view.getState()
    if (keyMap !== known) {
      known = keyMap
      bound = boundCommands(keyMap, appCommands)
    }
    return bound
  }
}

function takeCopy(designer: Designer, event: ClipboardEvent): void {
  if (isWriting(document.activeElement) || !isOnCanvas() || String(getSelection()) !== '') return
  const text = clipboardText(designer)
  if (text === null) return
  event.clipboardData?.setData('text/plain', text)
  designer.clipboard.text = text
  event.preventDefault()
  if (event.type !== 'cut' || isReadOnly(designer)) return
  const { nodes } = designer.view.getState().selection
  designer.document.getState().edit(removeElements({ nodes, edges: [], notes: [] }))
  designer.view.getState().select({})
}

/** A menu item means the text while one is written, else the canvas. */
function fromMenu(designer: Designer, id: string): void {
  const edit = textEdits[id]
  if (edit !== undefined && isWriting(document.activeElement)) void designer.desktop?.editText(edit)
  else runCommand(designer, id)
}
