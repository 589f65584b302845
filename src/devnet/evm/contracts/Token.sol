// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token of whole units. Its events cover every number of topics a log can have.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Referenced(address indexed from, address indexed to, bytes32 indexed reference_, string memo);
    event Note(string text) anonymous;

    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance too low");
        allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    /// Transfers, and logs a reference (four topics) and a note (none).
    function transferWithMemo(address to, uint256 value, bytes32 reference_, string calldata memo) external {
        move(msg.sender, to, value);
        emit Referenced(msg.sender, to, reference_, memo);
        emit Note(memo);
    }

    function move(address from, address to, uint256 value) private {
        require(balanceOf[from] >= value, "balance too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
