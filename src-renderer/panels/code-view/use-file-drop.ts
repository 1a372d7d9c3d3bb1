/** A file that is dropped on the window is opened: a workflow, generated TypeScript, a picture with one in it, or a run. */

import { useEffect } from 'react'
import { pictureBytesMax } from '../../../src-engine/model/limits.ts'
import { useDesigner } from '../../state/context.ts'
import { importFile } from '../../state/files.ts'
import { codeWords } from '../../text/code-words.ts'

/** Takes files that are dropped anywhere; other things that are dragged stay with who takes them. */
export function useFileDrop(): void {
  const designer = useDesigner()
  useEffect(() => {
    const isFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent): void => {
      // Without this the page would go away to show the file.
      if (isFile(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!isFile(event)) return
      event.preventDefault()
      const files = event.dataTransfer?.files
      const file = files?.[0]
      if (files === undefined || file === undefined) return
      const { toast } = designer.view.getState()
      if (files.length > 1) toast({ tone: 'neutral', message: codeWords.notOne, hint: null })
      // One byte more than may be is enough to be refused by name.
      const part = file.slice(0, pictureBytesMax + 1)
      void part
        .arrayBuffer()
        .then((bytes) => importFile(designer, { name: file.name, bytes: new Uint8Array(bytes) }))
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [designer])
}
