import type { ConnectorDefinition } from '../../lib/domain/definition.ts'
import { COMPILER_SETTINGS, SOLC_VERSION } from '../../lib/solidity/wrap.ts'

/**
 * A connector as a contract of its own, which is what creating one costs where connectors are not data: the definition
 * in its constructor, what a runner and a client ask of it, and the loops that make its sequences. Input of solc, with
 * the settings of this program's own bodies.
 */
export function connectorContract(definition: ConnectorDefinition) {
  const source = SOURCE.replace('/*DEFINITION*/', constructorOf(definition))
  return {
    language: 'Solidity',
    sources: { connector: { content: source } },
    settings: {
      ...COMPILER_SETTINGS,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
}

function constructorOf({ name, dimensions, conditionName, staticRi }: ConnectorDefinition): string {
  const lines = [`name = ${JSON.stringify(name)};`]
  if (conditionName !== '') lines.push(`condition = registry.entityOf(2, ${JSON.stringify(conditionName)});`)
  for (const [i, { transformations, composite, bindings }] of dimensions.entries()) {
    lines.push('dimensions.push();')
    for (const { name: called, args } of transformations) {
      lines.push(`{ Call storage c = dimensions[${i}].calls.push();`)
      lines.push(`  c.target = ITransformation(registry.entityOf(1, ${JSON.stringify(called)}));`)
      for (const arg of args) lines.push(`  c.args.push(${arg});`)
      lines.push('}')
    }
    if (composite === '') continue
    lines.push(`dimensions[${i}].composite = IConnector(registry.entityOf(0, ${JSON.stringify(composite)}));`)
    for (const { slot, name: bound } of bindings) {
      lines.push(
        `dimensions[${i}].bindings.push(Binding(${slot}, registry.entityOf(0, ${JSON.stringify(bound)})));`,
      )
    }
  }
  for (const { position, startPoint, transformationShift } of staticRi) {
    lines.push(`instances[${position}] = Instance(true, ${startPoint}, ${transformationShift});`)
  }
  return lines.join('\n        ')
}

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ${SOLC_VERSION};

interface IRegistry {
    function entityOf(uint8 kind, string calldata name) external view returns (address);
}

interface ITransformation {
    function argsCount() external view returns (uint32);
    function run(uint32 x, uint32[] calldata args) external view returns (uint32);
    function runRange(uint32 x, uint32 count, uint32[] calldata args) external view returns (uint32[] memory);
    function runAt(uint32 x, uint32[] calldata sorted, uint32[] calldata args) external view returns (uint32[] memory);
}

interface ICondition {
    function check(int32[] calldata args) external view returns (bool);
}

interface IConnector {
    function scalarsCount() external view returns (uint32);
    function scalarHash(uint32 scalar) external view returns (bytes32);
    function openSlotsCount() external view returns (uint32);
}

contract Connector is IConnector {
    struct Call { ITransformation target; uint32[] args; }
    struct Binding { uint32 slot; address connector; }
    struct Dimension { Call[] calls; IConnector composite; Binding[] bindings; }
    struct Instance { bool given; uint32 start; uint32 shift; }

    error DimensionMissing(uint32 dimension);
    error ArgumentsMismatch(address target, uint256 given, uint32 wanted);
    error SlotMissing(uint32 slot, uint32 slots);
    error ConditionNotMet(string name);
    error NotSorted(uint32 before, uint32 offset);

    event OwnerSet(address indexed before, address indexed owner);

    IRegistry public immutable registry;
    address public owner;
    string public name;
    bytes32 public formatHash;
    address public condition;
    int32[] internal conditionArgs;
    Dimension[] internal dimensions;
    mapping(uint32 => Instance) internal instances;
    bytes32[] internal scalars;

    constructor(IRegistry registry_, address owner_) {
        registry = registry_;
        owner = owner_;
        emit OwnerSet(address(0), owner_);
        /*DEFINITION*/
        _check();
        _collect();
    }

    function _check() private view {
        for (uint256 i; i < dimensions.length; ++i) {
            Dimension storage dimension = dimensions[i];
            for (uint256 k; k < dimension.calls.length; ++k) {
                Call storage each = dimension.calls[k];
                uint32 wanted = each.target.argsCount();
                if (each.args.length != wanted) {
                    revert ArgumentsMismatch(address(each.target), each.args.length, wanted);
                }
            }
            for (uint256 k; k < dimension.bindings.length; ++k) {
                uint32 slots = dimension.composite.openSlotsCount();
                if (dimension.bindings[k].slot >= slots) revert SlotMissing(dimension.bindings[k].slot, slots);
            }
        }
    }

    function _collect() private {
        bytes32 sum;
        for (uint32 i; i < dimensions.length; ++i) {
            Dimension storage dimension = dimensions[i];
            if (address(dimension.composite) == address(0)) {
                scalars.push(keccak256(abi.encode(keccak256(bytes(name)), i)));
            } else {
                uint32 count = dimension.composite.scalarsCount();
                for (uint32 k; k < count; ++k) {
                    address bound = _bound(dimension, k);
                    if (bound == address(0)) scalars.push(dimension.composite.scalarHash(k));
                    else {
                        uint32 inner = IConnector(bound).scalarsCount();
                        for (uint32 m; m < inner; ++m) scalars.push(IConnector(bound).scalarHash(m));
                    }
                }
            }
        }
        for (uint256 i; i < scalars.length; ++i) sum = _add(sum, keccak256(abi.encode(scalars[i])));
        formatHash = sum;
    }

    function _add(bytes32 a, bytes32 b) private pure returns (bytes32 sum) {
        for (uint256 lane; lane < 4; ++lane) {
            uint256 shift = 64 * lane;
            uint64 one = uint64(uint256(a) >> shift);
            uint64 other = uint64(uint256(b) >> shift);
            unchecked { sum |= bytes32(uint256(one + other) << shift); }
        }
    }

    function _bound(Dimension storage dimension, uint32 slot) private view returns (address) {
        for (uint256 i; i < dimension.bindings.length; ++i) {
            if (dimension.bindings[i].slot == slot) return dimension.bindings[i].connector;
        }
        return address(0);
    }

    modifier exists(uint32 dimension) {
        if (dimension >= dimensions.length) revert DimensionMissing(dimension);
        _;
    }

    function dimensionsCount() external view returns (uint32) { return uint32(dimensions.length); }
    function scalarsCount() external view returns (uint32) { return uint32(scalars.length); }
    function openSlotsCount() external view returns (uint32) { return uint32(scalars.length); }
    function scalarHash(uint32 scalar) external view returns (bytes32) { return scalars[scalar]; }
    function composite(uint32 dimension) external view exists(dimension) returns (address) {
        return address(dimensions[dimension].composite);
    }
    function composites() external view returns (address[] memory all) {
        all = new address[](dimensions.length);
        for (uint256 i; i < all.length; ++i) all[i] = address(dimensions[i].composite);
    }
    function bindingComposite(uint32 dimension, uint32 slot) external view exists(dimension) returns (address) {
        return _bound(dimensions[dimension], slot);
    }
    function calls(uint32 dimension) external view exists(dimension) returns (Call[] memory) {
        return dimensions[dimension].calls;
    }
    function staticInstance(uint32 position) external view returns (bool, uint32, uint32) {
        Instance storage each = instances[position];
        return (each.given, each.start, each.shift);
    }
    function conditionArguments() external view returns (int32[] memory) { return conditionArgs; }

    function checkCondition() public view returns (bool) {
        return condition == address(0) || ICondition(condition).check(conditionArgs);
    }

    function transform(uint32 dimension, uint32 turn, uint32 x) public view exists(dimension) returns (uint32) {
        Call[] storage all = dimensions[dimension].calls;
        if (all.length == 0) return x;
        Call storage each = all[turn % all.length];
        return each.target.run(x, each.args);
    }

    function transformRange(uint32 dimension, uint32 start, uint32 shift, uint32 count)
        external
        view
        exists(dimension)
        returns (uint32[] memory values)
    {
        if (!checkCondition()) revert ConditionNotMet(name);
        Call[] storage all = dimensions[dimension].calls;
        if (all.length == 1) return all[0].target.runRange(start, count, all[0].args);
        values = new uint32[](count);
        uint32 x = start;
        for (uint32 i; i < count; ++i) {
            values[i] = x;
            if (i + 1 < count) x = transform(dimension, shift + i, x);
        }
    }

    function transformAt(uint32 dimension, uint32 start, uint32 shift, uint32[] calldata sorted)
        external
        view
        exists(dimension)
        returns (uint32[] memory values)
    {
        if (!checkCondition()) revert ConditionNotMet(name);
        Call[] storage all = dimensions[dimension].calls;
        if (all.length == 1) return all[0].target.runAt(start, sorted, all[0].args);
        values = new uint32[](sorted.length);
        uint32 x = start;
        uint32 at;
        for (uint256 i; i < sorted.length; ++i) {
            if (i != 0 && sorted[i] < sorted[i - 1]) revert NotSorted(sorted[i - 1], sorted[i]);
            for (; at < sorted[i]; ++at) x = transform(dimension, shift + at, x);
            values[i] = x;
        }
    }
}
`
