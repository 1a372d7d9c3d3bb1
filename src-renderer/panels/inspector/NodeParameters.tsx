/** The form of a node's parameters, made from its kind's schema. */

import { useMemo } from 'react'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import { unknownKind } from '../../../src-engine/model/unknown-kind.ts'
import { setParameters } from '../../commands/change-node.ts'
import { FormProvider } from '../../forms/FormProvider.tsx'
import { ObjectForm } from '../../forms/SchemaForm.tsx'
import { useDesigner } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import styles from './Inspector.module.css'
import { StepVersion } from './StepVersion.tsx'
import { TaskContract } from './TaskContract.tsx'
import { useNodeForm } from './use-node-form.ts'

export function NodeParameters({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const node = useShownDocument((document) => document.nodes[id])
  const isReadOnly = useReadOnly()
  const form = useNodeForm(id, isReadOnly)
  const spec = designer.specs.get(node?.kind ?? '')
  const schema = useMemo(() => (spec === undefined ? null : inputJsonSchema(spec.parameters)), [spec])
  if (node === undefined) return null
  if (spec === undefined || schema === null) {
    return (
      <div className={styles['section']}>
        <p className={styles['lead']}>
          Nothing here knows the kind “{node.kind}”.{' '}
          {unknownKind({ name: '', kind: node.kind, field: 'kind', nodeId: id }).hint}
        </p>
        <pre className={styles['raw']}>{JSON.stringify(node.parameters ?? {}, null, 2)}</pre>
      </div>
    )
  }
  const isEmpty = Object.keys((schema['properties'] as object | undefined) ?? {}).length === 0
  return (
    <div className={styles['section']}>
      <p className={styles['lead']}>{spec.description}</p>
      <StepVersion id={id} place="step" />
      <TaskContract kind={spec.kind} />
      {isEmpty && <p className={styles['lead']}>It has no parameters of its own.</p>}
      <FormProvider value={form}>
        <ObjectForm
          schema={schema}
          value={node.parameters ?? {}}
          path="parameters"
          onChange={(value, field) => designer.document.getState().edit(setParameters(id, value, field))}
        />
      </FormProvider>
    </div>
  )
}
