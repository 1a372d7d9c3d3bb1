/** The open workflow as a file or on the clipboard, in each form that it has. */

import { FileDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { runCommand } from '../../commands/registry.ts'
import { useDesigner } from '../../state/context.ts'
import { CommandMenu } from '../../ui/CommandMenu.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { rule } from '../../ui/menu-rule.ts'

const entries = [
  'file.export',
  'file.exportTs',
  'file.exportSvg',
  'file.exportPng',
  rule,
  'file.copyJson',
  'file.copyTs',
] as const
/** Between the button and its menu, in pixels. */
const gap = 6

export function ExportButton() {
  const designer = useDesigner()
  const place = useRef<HTMLSpanElement>(null)
  const [at, setAt] = useState<{ readonly x: number; readonly y: number } | null>(null)
  const open = (): void => {
    const { left = 0, bottom = 0 } = place.current?.getBoundingClientRect() ?? {}
    setAt({ x: left, y: bottom + gap })
  }
  const close = (): void => {
    setAt(null)
    place.current?.querySelector('button')?.focus()
  }
  return (
    <span ref={place} data-testid="export-place">
      <IconButton
        icon={FileDown}
        label="Export"
        aria-haspopup="menu"
        aria-expanded={at !== null}
        data-testid="export-button"
        onClick={open}
      />
      {at !== null && (
        <CommandMenu
          entries={entries}
          at={at}
          label="Export"
          testId="export-menu"
          onClose={close}
          onChoose={(id) => runCommand(designer, id)}
        />
      )}
    </span>
  )
}
