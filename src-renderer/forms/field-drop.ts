/** A field as a place for values: dropped on it, or given to it from their tree with the keyboard. */

import type { DragEvent, RefObject } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDesigner, useView } from '../state/context.ts'
import type { FieldRowProps } from './form-context.ts'
import { dataNodeOf, useForm } from './form-context.ts'
import { insertAt, takesValue, withValueTaken } from './take-value.ts'
import type { DraggedValue } from './value-drag.ts'
import { readDrag, valueDragType } from './value-drag.ts'

/** What the field's row listens to; nothing where it takes no values. */
export function useFieldDrop(props: FieldRowProps, row: RefObject<HTMLElement | null>) {
  const { field, value, path, onChange } = props
  const { view } = useDesigner()
  const form = useForm()
  const { isReadOnly, onLeave } = form
  const [isOver, setOver] = useState(false)
  const gift = useView((state) => (state.fieldGift?.field === path ? state.fieldGift : null))
  const isPlace = dataNodeOf(form, field.kind) !== null && !isReadOnly && takesValue(field)
  const take = (dragged: DraggedValue): void => {
    onChange(withValueTaken(field, value, dragged), path)
    onLeave()
  }
  const onGift = useEffectEvent((dragged: DraggedValue) => {
    if (!isPlace) return
    take(dragged)
    row.current?.scrollIntoView({ block: 'center' })
    row.current?.querySelector<HTMLElement>('input, textarea, select, [data-writes]')?.focus()
  })
  useEffect(() => {
    if (gift === null || view.getState().fieldGift !== gift) return
    // Taken once, whatever is drawn again.
    view.getState().giveField(null)
    onGift(gift.dragged)
  }, [gift, view])
  if (!isPlace) return {}
  const isValue = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(valueDragType)
  const onDragOver = (event: DragEvent): void => {
    if (!isValue(event)) return
    event.preventDefault()
    event.stopPropagation()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const onDrop = (event: DragEvent): void => {
    const dragged = readDrag(event.dataTransfer)
    setOver(false)
    if (dragged === null) return
    event.preventDefault()
    event.stopPropagation()
    const at = { x: event.clientX, y: event.clientY }
    if (insertAt(event.target, { field, dragged }, at)) onLeave()
    else take(dragged)
  }
  return {
    'data-drop': isOver || undefined,
    onDragOver,
    onDragLeave: () => setOver(false),
    onDrop,
  }
}
