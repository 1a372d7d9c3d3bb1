/** A workflow that asks before it ships. */

export const shipping = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_shipping',
  title: 'Ship the order',
  nodes: {
    ask: {
      kind: 'approval',
      title: 'Four eyes',
      parameters: {
        title: 'Ship order 4711?',
        message: 'The customer is **new**.\n\n- paid\n- in stock',
        details: '{ "weight": 3 }',
        pushBack: true,
        onExpiry: 'reject',
        amount: 2,
        form: {
          type: 'object',
          properties: { carrier: { type: 'string', title: 'Carrier', enum: ['DHL', 'UPS'], default: 'DHL' } },
        },
      },
    },
    ship: { kind: 'log', title: 'Ship', parameters: { message: 'shipped' } },
    stop: { kind: 'log', title: 'Keep', parameters: { message: 'kept' } },
  },
  edges: {
    yes: { from: { node: 'ask', port: 'approved' }, to: { node: 'ship', port: 'in' } },
    no: { from: { node: 'ask', port: 'rejected' }, to: { node: 'stop', port: 'in' } },
  },
  layout: { nodes: { ask: { x: 0, y: 0 }, ship: { x: 340, y: 0 }, stop: { x: 340, y: 140 } } },
}
