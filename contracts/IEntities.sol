// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Interface of a published transformation. Calls must be in canonical ABI encoding: arguments are found through their
/// offset without further checks. Reverts are those of the author's body.
interface ITransformation {
    /// One step.
    function run(uint32 x, uint32[] calldata args) external view returns (uint32);

    /// `count` steps, each from the value before. Returns s(1) … s(count) bare: four bytes each, big-endian, no ABI head.
    function range(uint32 x, uint32[] calldata args, uint32 count) external view;

    /// Like `range`, rotating through several argument lists of length `width` that lie one after another in
    /// `args`, beginning with list number `first`. `width` is at least 1.
    function cycle(uint32 x, uint32[] calldata args, uint32 count, uint32 width, uint32 first) external view;
}

/// Interface of a published condition.
interface ICondition {
    function check(int32[] calldata args) external view returns (bool);
}
