// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Fails in each way a call can fail.
contract Reverter {
    error InsufficientStock(uint256 requested, uint256 available);

    uint256 public stock = 3;

    /// Reverts with Error(string).
    function failWithReason() external pure {
        revert("boom reason");
    }

    /// Reverts with a custom error when more is asked for than there is.
    function order(uint256 quantity) external {
        if (quantity > stock) revert InsufficientStock(quantity, stock);
        stock -= quantity;
    }

    /// Reverts with Panic(0x12) when the divisor is zero.
    function divide(uint256 dividend, uint256 divisor) external pure returns (uint256) {
        return dividend / divisor;
    }

    /// Reverts without data.
    function failBare() external pure {
        revert();
    }

    /// Ends with an invalid opcode: no revert, all gas gone.
    function failInvalid() external pure {
        assembly {
            invalid()
        }
    }

    /// Never ends by itself, so that no amount of gas is enough.
    function spin() external {
        while (true) stock = stock;
    }
}
