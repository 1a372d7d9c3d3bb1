/** A file or folder: written as a text, or chosen with the system's own dialog where there is one. */

import { FolderOpen } from 'lucide-react'
import { answered } from '../../bridge/desktop.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { fill, paths } from '../../text/messages.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { useForm } from '../form-context.ts'
import styles from '../forms.module.css'
import { pathFrom } from '../path-from.ts'
import { TemplateField } from './TemplateField.tsx'
import type { WidgetProps } from './widget-props.ts'

export function PathField(props: WidgetProps) {
  const { field, path, onChange } = props
  const designer = useDesigner()
  const { isReadOnly, onLeave } = useForm()
  const file = useDocument((state) => state.path)
  const { desktop } = designer
  // A browser can't tell where a file lies.
  if (desktop === null || isReadOnly) return <TemplateField {...props} />
  const kind = field.schema['widget'] === 'folder' ? 'folder' : 'file'
  const choose = async (): Promise<void> => {
    const chosen = await attempt(designer, () => answered(desktop.choosePathDialog({ kind, from: file })))
    if (chosen === null) return
    onChange(pathFrom(file, chosen), path)
    onLeave()
  }
  return (
    <div className={styles['withButton']}>
      <TemplateField {...props} />
      <IconButton
        icon={FolderOpen}
        label={fill(paths[kind], { title: field.title })}
        data-testid="path-choose"
        onClick={() => void choose()}
      />
    </div>
  )
}
